package io.updraft.timeseries.decode;

import io.updraft.base.record.ByteColumn;
import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Puts the attributes of records into the columns that read them. One thread only. */
final class AttributeColumns {

    private final ColumnWriter[] columns;
    /** Of each column, the values in the chunk; null unless they are keys or headers. */
    private final ByteColumn[] values;

    private final NameBytes files = new NameBytes();
    private final NameBytes topics = new NameBytes();

    private Chunk chunk;
    /** The index of the current record in a chunk of records. */
    private int record;

    /** The number of line feeds in the file before a byte of the chunk. */
    private long line;

    private int counted;

    private AttributeColumns(List<ColumnWriter> columns) {
        this.columns = columns.toArray(ColumnWriter[]::new);
        this.values = new ByteColumn[columns.size()];
    }

    /** Returns the columns of attributes among all columns; null if there are none. */
    static AttributeColumns of(List<ColumnWriter> all) {
        List<ColumnWriter> columns =
                all.stream().filter(column -> column.column().from() != null).toList();
        return columns.isEmpty() ? null : new AttributeColumns(columns);
    }

    void begin(Chunk next) {
        chunk = next;
        line = next.firstLine();
        counted = 0;
        for (int i = 0; i < columns.length; i++) {
            RecordAttribute from = columns[i].column().from();
            values[i] = switch (from.kind()) {
                case KEY -> next.keys();
                case HEADER -> next.headers(from.header());
                default -> null;
            };
        }
    }

    /** Sets the index of the next record of a chunk of records. */
    void at(int index) {
        record = index;
    }

    /**
     * Puts the attributes of a record into a row. Records come in order.
     *
     * @param from the index of its first byte in the chunk
     */
    void put(RecordRow row, int from) {
        for (int i = 0; i < columns.length; i++) {
            ColumnWriter column = columns[i];
            switch (column.column().from().kind()) {
                case KEY, HEADER -> putText(column, row, values[i]);
                case FILE -> putName(column, row, files.of(chunk.partition()));
                case LINE -> putLine(column, row, from);
                case TOPIC -> putName(column, row, topics.of(chunk.topic()));
                case PARTITION -> putNumber(column, row, chunk.partitionIndex());
                case OFFSET -> putNumber(column, row, chunk.topic() == null ? -1 : chunk.positions()[record]);
                case TIMESTAMP -> putNumber(column, row, chunk.times() == null ? -1 : chunk.times()[record]);
            }
        }
    }

    private void putText(ColumnWriter column, RecordRow row, ByteColumn texts) {
        if (texts == null || texts.isNull(record)) {
            return;
        }
        int from = texts.start(record);
        int end = texts.ends()[record];
        int malformed = Utf8Decoding.malformed(texts.bytes(), from, end);
        if (malformed >= 0) {
            throw column.wrong("malformed UTF-8 at byte " + (malformed - from));
        }
        column.text(row, texts.bytes(), from, end - from);
    }

    private static void putName(ColumnWriter column, RecordRow row, byte[] name) {
        if (name != null) {
            column.text(row, name, 0, name.length);
        }
    }

    private static void putNumber(ColumnWriter column, RecordRow row, long number) {
        // Kafka has -1 for the time of a record that has none.
        if (number >= 0) {
            row.setLong(column.slot(), number);
        }
    }

    private void putLine(ColumnWriter column, RecordRow row, int from) {
        if (chunk.firstLine() > 0) {
            byte[] bytes = chunk.bytes();
            for (; counted < from; counted++) {
                line += bytes[counted] == '\n' ? 1 : 0;
            }
            row.setLong(column.slot(), line);
        }
    }

    /** Releases the chunk. */
    void forget() {
        chunk = null;
        Arrays.fill(values, null);
    }

    /** The last name as UTF-8. */
    private static final class NameBytes {

        private String name;
        private byte[] bytes;

        byte[] of(String current) {
            if (!Objects.equals(name, current)) {
                name = current;
                bytes = current == null ? null : current.getBytes(StandardCharsets.UTF_8);
            }
            return bytes;
        }
    }
}
