package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.SampleDecoder;
import java.util.Arrays;
import java.util.List;

/**
 * The format of the lines of a source.
 *
 * @param csv the format of CSV, including the column names; null for other formats
 * @param header whether the first line of each partition names the columns
 * @param buffers the buffers of all partitions
 */
record LineFormat(CsvFormat csv, boolean header, int maxRecord, ChunkBuffers buffers) {

    private static final int KEPT = 64;

    public static LineFormat of(DecodeSpec decode, boolean header, int maxRecord) {
        boolean csv = decode.format() == DecodeSpec.Format.CSV;
        return new LineFormat(
                csv ? decode.csv() : null, csv && header, maxRecord, new ChunkBuffers(ChunkReader.CHUNK, KEPT));
    }

    /** Returns a reader of a partition from a position on. At the start of the partition, it checks the header if there is one. */
    public ChunkReader reader(String partition, long position, ChunkReader.Input input) {
        RecordCutter cutter =
                csv == null ? RecordCutter.lines() : RecordCutter.csv((byte) csv.quote(), (byte) csv.delimiter());
        ChunkReader.Header check = (bytes, to) -> checkHeader(partition, bytes, to);
        return new ChunkReader(
                partition, position, input, cutter, maxRecord, header && position == 0 ? check : null, buffers);
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
