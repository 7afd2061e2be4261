package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of one record's exploded elements. Fields of the record may follow its elements, and no row is passed on before the
 * whole record is valid, so rows are buffered. The number of buffered rows is limited. The elements beyond the limit are
 * checked like all others, and are parsed again after the buffered rows were passed on. Memory is thus bounded for every
 * record.
 */
final class ExplodedElements {

    private static final int MAX_WAITING_ROWS = 256;
    private static final int MAX_WAITING_SLOTS = 64 * 1024;

    private final RowCompleter maker;
    /** The nodes of all readings of the exploded path. Of several values in a record, that of the first node counts. */
    private final List<PathNode> exploded;

    private final ColumnWriter[] repeated;
    private final ColumnWriter[] needingValue;
    private final List<RecordRow> waiting = new ArrayList<>();
    private final int maxWaiting;
    /** The row of the elements that are not buffered. */
    private final RecordRow passing;

    private int from;
    private int count;
    private int used;
    private RecordRow record;
    /** The index of the node whose value is taken; the number of nodes if there is none. */
    private int taken;

    /** Receives rows while elements are parsed again; null during the first parse. */
    private RowHandler again;

    private long position;
    private long time;
    private byte[] recordBytes;
    private int recordFrom;
    private int recordLength;

    ExplodedElements(RowCompleter maker, List<PathNode> exploded, List<ColumnWriter> repeated) {
        this.maker = maker;
        this.exploded = exploded;
        this.repeated = repeated.toArray(ColumnWriter[]::new);
        this.needingValue = maker.columns().stream()
                .filter(column -> column.needsValue() && !repeated.contains(column))
                .toArray(ColumnWriter[]::new);
        this.maxWaiting = Math.max(
                1, Math.min(MAX_WAITING_ROWS, MAX_WAITING_SLOTS / maker.schema().size()));
        this.passing = new RecordRow(maker.schema());
    }

    void clear() {
        count = 0;
        taken = exploded.size();
    }

    /**
     * Starts a value. Discards the elements of an earlier value of this record. Returns false, and keeps them, if the earlier
     * value takes precedence.
     */
    boolean begin(int at, PathNode node) {
        int reading = exploded.indexOf(node);
        if (reading > taken) {
            return false;
        }
        taken = reading;
        from = at;
        count = 0;
        return true;
    }

    /** Takes null as no value. Discards the elements of an earlier value of the same node. */
    void none(PathNode node) {
        if (taken == exploded.indexOf(node)) {
            clear();
        }
    }

    RecordRow next() {
        RecordRow row = passing;
        if (count < maxWaiting && again == null) {
            if (count == waiting.size()) {
                waiting.add(new RecordRow(maker.schema()));
            }
            used = Math.max(used, count + 1);
            row = waiting.get(count);
        }
        row.clear();
        return row;
    }

    /** Completes an element, whose values are in its row. Returns whether the row, and the texts that it refers to, are kept. */
    boolean keep() {
        int index = count++;
        if (again == null) {
            RecordRow row = index < maxWaiting ? waiting.get(index) : passing;
            for (ColumnWriter column : needingValue) {
                column.complete(row);
            }
            return index < maxWaiting;
        }
        if (index >= maxWaiting) {
            emitRow(passing, again);
        }
        return false;
    }

    /** Ends the first parse of a record. Throws {@link RejectedRecordException} when a required column has no value. */
    void complete(RecordRow row) {
        record = row;
        for (ColumnWriter column : repeated) {
            if (column.needsValue()) {
                column.complete(row);
            }
        }
    }

    /**
     * Emits the rows of a record. Rejects the record for each element that has no row because a value cannot be cast.
     *
     * @param bytes the record is in them
     * @param first the index of its first byte
     * @param length the number of its bytes
     */
    void emit(JsonScanner scanner, long at, long when, RowHandler rows, byte[] bytes, int first, int length) {
        position = at;
        time = when;
        recordBytes = bytes;
        recordFrom = first;
        recordLength = length;
        int rest = count;
        for (int i = 0; i < Math.min(rest, maxWaiting); i++) {
            emitRow(waiting.get(i), rows);
        }
        if (rest > maxWaiting) {
            again = rows;
            try {
                scanner.again(from, exploded.get(taken));
            } finally {
                again = null;
            }
        }
    }

    private void emitRow(RecordRow row, RowHandler rows) {
        if (again != null) {
            for (ColumnWriter column : needingValue) {
                column.complete(row);
            }
        }
        for (ColumnWriter column : repeated) {
            row.copy(column.slot(), record, column.slot());
        }
        try {
            if (maker.derive(row)) {
                rows.row(row, position, time);
            }
        } catch (RejectedRecordException e) {
            rows.rejected(position, recordBytes, recordFrom, recordLength, e.getMessage());
        }
    }

    void forget() {
        passing.forget();
        for (; used > 0; used--) {
            waiting.get(used - 1).forget();
        }
    }
}
