package io.updraft.timeseries.decode;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.RowBlock;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decodes CSV records to rows. One thread only. */
final class CsvDecoder implements Decoder {

    private static final int MAX_PARTITIONS = 1024;

    private final CsvFormat format;
    private final RowCompleter maker;
    /** Null if no column reads an attribute. */
    private final AttributeColumns attributes;

    private final RecordRow row;
    private final CsvScanner scanner;
    private final CsvKeys keys;
    /** Reads simple lines; null if rows have to be changed, or are needed one by one. */
    private final CsvBlocks blocks;

    private final KeyColumns keyColumns;

    /** The columns of the most recently used partitions, from their headers. The size is limited to save memory. */
    private final Map<String, CsvScanner.CsvColumns> byPartition = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CsvScanner.CsvColumns> eldest) {
            return size() > MAX_PARTITIONS;
        }
    };

    /** The header of the last chunk that has one. */
    private byte[] header;

    private CsvScanner.CsvColumns ofHeader;
    /** The columns of the current chunk; null if no header is known. */
    private CsvScanner.CsvColumns columns;

    private int decoded;
    private int recordFrom;
    private int recordTo;
    /** Whether the line end is not part of the record. */
    private boolean isLine;

    CsvDecoder(DecodeSpec spec, RowCompleter maker, KeyColumns keys) {
        this.format = spec.csv();
        this.maker = maker;
        this.attributes = maker.attributes();
        this.row = new RecordRow(maker.schema());
        this.keys = new CsvKeys(keys, (byte) format.delimiter());
        this.scanner = new CsvScanner(format, this.keys);
        boolean simple = keys.areAggregated() && maker.changesNothing() && scanner.takesNumbers();
        this.keyColumns = keys;
        this.blocks = simple ? new CsvBlocks(format, maker.schema(), keys.texts()) : null;
        if (!format.hasHeader()) {
            columns = CsvScanner.CsvColumns.of(format.names(), maker.contentColumns(), this.keys);
        }
    }

    @Override
    public int decode(Chunk chunk, RowHandler rows) {
        decoded = 0;
        keys.judge();
        useHeaderOf(chunk);
        if (attributes != null) {
            attributes.begin(chunk);
        }
        isLine = chunk.isLines();
        if (isLine) {
            lines(chunk, rows);
        } else {
            records(chunk, rows);
        }
        row.forget();
        scanner.forget();
        if (attributes != null) {
            attributes.forget();
        }
        return decoded;
    }

    private void useHeaderOf(Chunk chunk) {
        byte[] brought = chunk.header();
        if (!format.hasHeader()) {
            return;
        }
        if (brought == null) {
            columns = byPartition.get(chunk.partition());
            return;
        }
        if (brought != header) {
            scanner.set(brought, brought.length, true);
            ofHeader = read(brought, chunk.partition());
            header = brought;
        }
        columns = ofHeader;
    }

    private CsvScanner.CsvColumns read(byte[] bytes, String partition) {
        try {
            int from = CsvScanner.afterBom(bytes, scanner.limit());
            return CsvScanner.CsvColumns.of(scanner.names(from), maker.contentColumns(), keys);
        } catch (RejectedRecordException e) {
            return CsvScanner.CsvColumns.flawed("the header of " + partition + " is invalid: " + e.getMessage());
        }
    }

    private void lines(Chunk chunk, RowHandler rows) {
        byte[] bytes = chunk.bytes();
        int end = chunk.length();
        scanner.set(bytes, end, true);
        int at = chunk.from() == 0 ? begin(chunk) : 0;
        CsvBlocks.Layout layout = blocks == null || columns == null || !hasWholeKey() ? null : columns.layout();
        while (at < end) {
            if (layout != null) {
                at = block(layout, bytes, at, end, chunk.from(), rows);
                if (at == end) {
                    break;
                }
            }
            int next = scanner.afterBlank(at);
            at = next > at ? next : record(at, end, chunk.from() + at, 0, chunk.partition(), rows);
        }
    }

    /** Returns whether the key text has all columns of the key, and nothing reads them one by one. */
    private boolean hasWholeKey() {
        CsvKeys.Range key = columns.key();
        return keyColumns.isWhole(key == null ? null : key.form());
    }

    /** Passes on all simple lines. Returns the start of the first one that is not simple. */
    private int block(CsvBlocks.Layout layout, byte[] bytes, int from, int end, long position, RowHandler rows) {
        RowBlock block = blocks.block();
        int at = from;
        do {
            at = blocks.read(layout, bytes, at, end, position);
            decoded += block.count();
            if (block.count() > 0) {
                rows.rows(block);
            }
        } while (block.isFull());
        return at;
    }

    /** Skips the start of a partition: a byte order mark, and the header if there is one. */
    private int begin(Chunk chunk) {
        int at = CsvScanner.afterBom(chunk.bytes(), chunk.length());
        if (!format.hasHeader() || chunk.length() == 0) {
            return at;
        }
        if (chunk.header() == null) {
            columns = read(chunk.bytes(), chunk.partition());
            byPartition.put(chunk.partition(), columns);
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
            if (attributes != null) {
                attributes.at(i);
            }
            record(from, ends[i], positions[i], times == null ? 0 : times[i], chunk.partition(), rows);
            from = ends[i];
        }
    }

    private int record(int from, int end, long position, long time, String partition, RowHandler rows) {
        int after;
        boolean isKept;
        decoded++;
        recordFrom = from;
        row.clear();
        try {
            RejectedRecordException.checkNotEmpty(from, end);
            if (columns == null) {
                throw new RejectedRecordException("the header of " + partition + " is not known");
            }
            after = scanner.record(from, columns, row);
            if (attributes != null) {
                attributes.put(row, from);
            }
            maker.complete(row);
            isKept = maker.derive(row);
        } catch (RejectedRecordException rejection) {
            after = scanner.afterRecord(from);
            rows.rejected(
                    position,
                    scanner.bytes(),
                    from,
                    scanner.withoutLineEnd(from, after) - from,
                    rejection.getMessage());
            return after;
        }
        recordTo = isLine ? after : end;
        if (isKept) {
            rows.row(row, position, time);
        }
        return after;
    }

    @Override
    public int recordFrom() {
        return recordFrom;
    }

    @Override
    public int recordLength() {
        return (isLine ? scanner.withoutLineEnd(recordFrom, recordTo) : recordTo) - recordFrom;
    }
}
