package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Chunk;
import io.updraft.timeseries.record.Row;

/** Rows of CSV records. One thread only. */
final class CsvDecoder implements Decoder {

    private final CsvFormat format;
    private final RowMaker maker;
    private final Row row;
    private final CsvScanner scanner;

    /** The columns that the scanner knows came from this: the bytes of a header, or a unit whose header was seen. */
    private byte[] headerBytes;

    private String headerUnit;
    private CsvColumns columns;

    /** Records of the chunk in hand so far. */
    private int decoded;

    CsvDecoder(DecodeSpec spec, RowMaker maker) {
        this.format = spec.csv();
        this.maker = maker;
        this.row = new Row(maker.schema());
        this.scanner = new CsvScanner(format);
        if (!format.hasHeader()) {
            columns = CsvColumns.of(format.names(), maker.columns());
        }
    }

    @Override
    public int decode(Chunk chunk, RowHandler rows) {
        decoded = 0;
        useHeaderOf(chunk);
        if (chunk.isLines()) {
            lines(chunk, rows);
        } else {
            records(chunk, rows);
        }
        row.forget();
        scanner.forget();
        return decoded;
    }

    private void useHeaderOf(Chunk chunk) {
        if (!format.hasHeader()) {
            return;
        }
        byte[] header = chunk.header();
        boolean known = header == null ? chunk.unit().equals(headerUnit) : header == headerBytes;
        if (known) {
            return;
        }
        headerBytes = header;
        headerUnit = null;
        columns = null;
        if (header != null) {
            scanner.set(header, header.length, true);
            header(header, chunk.unit());
        }
    }

    private void header(byte[] bytes, String unit) {
        headerUnit = unit;
        try {
            int from = CsvScanner.afterBom(bytes, scanner.limit());
            columns = CsvColumns.of(scanner.names(from), maker.columns());
        } catch (BadRecord e) {
            columns = CsvColumns.none("the header of " + unit + " is bad: " + e.getMessage());
        }
    }

    private void lines(Chunk chunk, RowHandler rows) {
        byte[] bytes = chunk.bytes();
        int end = chunk.length();
        scanner.set(bytes, end, true);
        int at = 0;
        if (chunk.from() == 0) {
            at = CsvScanner.afterBom(bytes, end);
            if (format.hasHeader()) {
                at = skipHeader(chunk, at);
            }
        }
        while (at < end) {
            int next = scanner.afterBlank(at);
            at = next > at ? next : record(at, chunk.from() + at, 0, chunk.unit(), rows);
        }
    }

    private int skipHeader(Chunk chunk, int at) {
        if (columns == null) {
            header(chunk.bytes(), chunk.unit());
        }
        return scanner.afterRecord(at);
    }

    private void records(Chunk chunk, RowHandler rows) {
        int[] ends = chunk.ends();
        long[] positions = chunk.positions();
        long[] times = chunk.times();
        int from = 0;
        for (int i = 0; i < ends.length; i++) {
            scanner.set(chunk.bytes(), ends[i], false);
            record(from, positions[i], times == null ? 0 : times[i], chunk.unit(), rows);
            from = ends[i];
        }
    }

    /** Decodes a record; gives where the next one begins. */
    private int record(int from, long position, long time, String unit, RowHandler rows) {
        int after;
        decoded++;
        row.clear();
        try {
            if (columns == null) {
                throw new BadRecord("the header of " + unit + " is not known");
            }
            after = scanner.record(from, columns, row);
            maker.complete(row);
        } catch (BadRecord bad) {
            after = scanner.afterRecord(from);
            rows.bad(position, scanner.bytes(), from, scanner.withoutLineEnd(from, after) - from, bad.getMessage());
            return after;
        }
        maker.emit(row, position, time, rows);
        return after;
    }
}
