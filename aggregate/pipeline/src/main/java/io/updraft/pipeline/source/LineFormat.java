package io.updraft.pipeline.source;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.RecordAttribute;
import io.updraft.timeseries.decode.SampleDecoder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The format of the lines of a source.
 *
 * @param csv the format of CSV, including the column names; null for other formats
 * @param header whether the first line of each partition names the columns
 * @param numbered whether a column reads the numbers of lines
 * @param buffers the buffers of all partitions
 */
record LineFormat(CsvFormat csv, boolean header, int maxRecord, boolean numbered, ChunkBuffers buffers) {

    private static final int KEPT = 64;

    public static LineFormat of(DecodeSpec decode, boolean header, int maxRecord) {
        boolean csv = decode.format() == DecodeSpec.Format.CSV;
        return new LineFormat(
                csv ? decode.csv() : null,
                csv && header,
                maxRecord,
                decode.reads(RecordAttribute.Kind.LINE),
                new ChunkBuffers(ChunkReader.CHUNK, KEPT));
    }

    /**
     * Returns a reader of a partition from a position on. At the start of the partition, it checks the header if there is one.
     *
     * @param firstLine returns the number of the line at the position, once bytes were read
     */
    public ChunkReader reader(String partition, long position, ChunkReader.Input input, LongSupplier firstLine) {
        ChunkReader.Header check = (bytes, to) -> checkHeader(partition, bytes, to);
        return new ChunkReader(
                partition,
                position,
                input,
                cutter(),
                maxRecord,
                header && position == 0 ? check : null,
                buffers,
                numbered ? firstLine : null);
    }

    private RecordCutter cutter() {
        return csv == null ? RecordCutter.lines() : RecordCutter.csv((byte) csv.quote(), (byte) csv.delimiter());
    }

    /** Returns how many lines the first bytes of a partition have, up to the end of a record, as its reader counts them. */
    long lines(ChunkReader.Input input, long bytes) throws IOException {
        long[] left = {bytes};
        ChunkReader.Input first = (into, at, most) -> {
            int count = left[0] == 0 ? -1 : input.read(into, at, (int) Math.min(most, left[0]));
            left[0] -= Math.max(0, count);
            return count;
        };
        ChunkReader counter = new ChunkReader("", 0, first, cutter(), maxRecord, null, buffers, () -> 1);
        try {
            SourceEvent event;
            do {
                event = counter.next();
                if (event instanceof Chunk chunk) {
                    chunk.release();
                }
            } while (event != null);
            counter.last();
        } catch (SourceException e) {
            throw new IllegalStateException("only a header can be wrong", e);
        }
        // One line that ends with a carriage return might go on with a line feed, so its end is not counted.
        return bytes == 0 ? 0 : Math.max(1, counter.resumeLine() - 1);
    }

    /** Compares the columns of a partition with the expected ones. */
    private void checkHeader(String partition, byte[] bytes, int to) throws SourceException {
        List<String> names;
        try {
            names = SampleDecoder.header(Arrays.copyOf(bytes, to), csv);
        } catch (IllegalArgumentException e) {
            throw new SourceException(partition + ":1: " + e.getMessage(), e);
        }
        if (!names.equals(csv.names())) {
            throw new SourceException(partition + ":1: the columns are " + String.join(",", names) + ", but "
                    + String.join(",", csv.names())
                    + " are expected; read files with other columns in a pipeline of their own");
        }
    }
}
