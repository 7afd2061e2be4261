package io.updraft.timeseries.decode;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.RowBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Decodes JSON records to rows. One thread only. */
final class JsonDecoder implements Decoder {

    private static final byte[] BOM = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final PathNode root;
    private final RowCompleter maker;
    /** Null if no column reads an attribute. */
    private final AttributeColumns attributes;

    private final RecordRow row;
    private final JsonScanner scanner;
    private final JsonKey key;
    private final boolean hasKey;
    /** Reads the records of templates; null if rows have to be changed, or are needed one by one. */
    private final JsonBlocks blocks;

    /** Null if nothing is exploded. */
    private final ExplodedElements elements;

    private int decoded;
    private int recordFrom;
    private int recordTo;

    /**
     * Creates a decoder.
     *
     * @param containers receives a column that finds an object or array, and which of them where; may refuse the record
     */
    JsonDecoder(DecodeSpec spec, RowCompleter maker, KeyColumns keys, BiConsumer<ColumnWriter, String> containers) {
        this.maker = maker;
        this.attributes = maker.attributes();
        this.row = new RecordRow(maker.schema());
        this.root = new PathNode();
        List<PathNode> exploded = spec.explode() == null
                ? List.of()
                : JsonPath.parseExplode(spec.explode()).readings(spec.explode()).stream()
                        .map(root::at)
                        .toList();
        List<ColumnWriter> repeated = buildPaths(maker, exploded);
        this.elements = exploded.isEmpty() ? null : new ExplodedElements(maker, exploded, repeated);
        this.key = new JsonKey(keys);
        this.hasKey = !keys.isEmpty();
        boolean simple = keys.areAggregated() && elements == null && maker.changesNothing();
        this.blocks = simple ? new JsonBlocks(maker.schema(), keys) : null;
        this.scanner = new JsonScanner(elements, key, containers);
    }

    /** Adds each column to the node of its path. Returns the columns that all elements share. */
    private List<ColumnWriter> buildPaths(RowCompleter rows, List<PathNode> exploded) {
        List<ColumnWriter> ofRecord = new ArrayList<>();
        PathNode element = new PathNode();
        exploded.forEach(node -> node.each = element);
        for (ColumnWriter column : rows.columns()) {
            if (column.column().from() != null) {
                ofRecord.add(column);
                continue;
            }
            JsonPath path = JsonPath.resolve(column.column(), !exploded.isEmpty());
            List<List<Object>> readings = path.readings(column.column().path());
            switch (path.root()) {
                case RECORD -> {
                    add(root, readings, column);
                    ofRecord.add(column);
                }
                case ELEMENT -> add(element, readings, column);
                default -> exploded.forEach(node -> node.keys = PathNode.with(node.keys, column));
            }
        }
        return ofRecord;
    }

    /** Adds a column to the nodes of all readings of its path, except those of exploded values. */
    private static void add(PathNode from, List<List<Object>> readings, ColumnWriter column) {
        List<PathNode> nodes = readings.stream()
                .map(from::at)
                .filter(node -> node.each == null)
                .toList();
        List<ColumnWriter> writers = column.byPrecedence(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).add(writers.get(i));
        }
    }

    @Override
    public int decode(Chunk chunk, RowHandler rows) {
        decoded = 0;
        if (hasKey) {
            key.prepare(root);
        }
        if (attributes != null) {
            attributes.begin(chunk);
        }
        if (chunk.isLines()) {
            lines(chunk, rows);
        } else {
            records(chunk, rows);
        }
        row.forget();
        scanner.forget();
        if (elements != null) {
            elements.forget();
        }
        if (attributes != null) {
            attributes.forget();
        }
        return decoded;
    }

    private void lines(Chunk chunk, RowHandler rows) {
        byte[] bytes = chunk.bytes();
        int end = chunk.length();
        scanner.set(bytes, end, true);
        int at = chunk.from() == 0 && startsWithBom(bytes, end) ? BOM.length : 0;
        while (at < end) {
            at = blocks == null ? at : blocks(chunk, at, rows);
            if (at == end) {
                return;
            }
            int next = blank(bytes, at, end);
            if (next < 0) {
                next = record(bytes, at, end, true, chunk.from() + at, 0, rows);
            }
            at = next + 1;
        }
    }

    private static boolean startsWithBom(byte[] bytes, int length) {
        return length >= BOM.length && bytes[0] == BOM[0] && bytes[1] == BOM[1] && bytes[2] == BOM[2];
    }

    /** Returns the end of a line of white space only; -1 if the line contains more. */
    private static int blank(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
            at++;
        }
        return at == end || bytes[at] == '\n' ? at : -1;
    }

    private void records(Chunk chunk, RowHandler rows) {
        int[] ends = chunk.ends();
        long[] positions = chunk.positions();
        long[] times = chunk.times();
        int i = 0;
        while (i < ends.length) {
            i = blocks == null ? i : blocks(chunk, i, rows);
            if (i < ends.length) {
                int from = i == 0 ? 0 : ends[i - 1];
                scanner.set(chunk.bytes(), ends[i], false);
                if (attributes != null) {
                    attributes.at(i);
                }
                record(chunk.bytes(), from, ends[i], false, positions[i], times == null ? 0 : times[i], rows);
                i++;
            }
        }
    }

    /** Passes on all records of templates. Returns the index of the first other one. */
    private int blocks(Chunk chunk, int from, RowHandler rows) {
        RowBlock block = blocks.block();
        int at = from;
        do {
            at = blocks.read(chunk, at);
            decoded += block.count();
            if (block.count() > 0) {
                key.count(block.count());
                rows.rows(block);
            }
        } while (block.isFull());
        return at;
    }

    private int record(byte[] bytes, int from, int end, boolean line, long position, long time, RowHandler rows) {
        int after;
        boolean isKept = true;
        if (hasKey) {
            key.prepare(root);
        }
        key.count(1);
        decoded++;
        recordFrom = from;
        row.clear();
        try {
            RejectedRecordException.checkNotEmpty(from, end);
            if (elements == null) {
                JsonTrace trace = blocks == null ? null : blocks.trace();
                after = scanner.record(from, root, row, trace);
                if (trace != null) {
                    blocks.learn(bytes, withoutReturn(bytes, from, after), key.form());
                }
                putAttributes(from);
                maker.complete(row);
                isKept = maker.derive(row);
            } else {
                elements.clear();
                after = scanner.record(from, root, row, null);
                putAttributes(from);
                elements.complete(row);
            }
        } catch (RejectedRecordException rejection) {
            after = line ? lineEnd(bytes, from, end) : end;
            int to = line ? withoutReturn(bytes, from, after) : end;
            rows.rejected(position, bytes, from, to - from, rejection.getMessage());
            return after;
        }
        recordTo = line ? withoutReturn(bytes, from, after) : end;
        if (elements == null) {
            if (isKept) {
                rows.row(row, position, time);
            }
        } else {
            elements.emit(scanner, position, time, rows, bytes, from, recordTo - from);
        }
        return after;
    }

    private void putAttributes(int from) {
        if (attributes != null) {
            attributes.put(row, from);
        }
    }

    @Override
    public int recordFrom() {
        return recordFrom;
    }

    @Override
    public int recordLength() {
        return recordTo - recordFrom;
    }

    private static int withoutReturn(byte[] bytes, int from, int to) {
        return to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    }

    private static int lineEnd(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        return at;
    }
}
