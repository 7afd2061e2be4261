package io.updraft.timeseries.query;

import io.updraft.timeseries.record.RecordRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** Rows of results that are put into an order: as many as are asked for. One thread only. */
final class RankedRows {

    private final Selector selector;
    private final Selection.Top top;
    private final long limit;
    private final Comparator<Row> order;
    private final Comparator<Row> rank;
    private final int[] perSlots;
    /** The first rows of each set; the last of them is at the head of its queue. */
    private final Map<List<Object>, PriorityQueue<Row>> sets = new HashMap<>();

    private List<Row> rows = List.of();

    /**
     * A row.
     *
     * @param values of the result
     * @param rank the values that decide whether the row is among the first of its set
     * @param order the values that decide its place
     */
    private record Row(Object[] values, Object[] rank, Object[] order) {}

    RankedRows(Selector selector) {
        this.selector = selector;
        top = selector.selection().top();
        limit = selector.selection().limit();
        order = by(Row::order, selector.order());
        rank = top == null ? order : by(Row::rank, selector.top());
        perSlots = top == null
                ? new int[0]
                : top.per().stream().mapToInt(selector.all()::slot).toArray();
    }

    private Comparator<Row> by(Function<Row, Object[]> keys, Ranking ranking) {
        int dimensions = selector.dimensions();
        return Comparator.comparing(keys, ranking.comparator())
                .thenComparing(Row::values, (one, other) -> Ranking.compare(one, other, dimensions));
    }

    /** Adds the row that the selector has computed. */
    void add() {
        RecordRow whole = selector.whole();
        List<Object> set = new ArrayList<>();
        for (int slot : perSlots) {
            set.add(whole.value(slot));
        }
        Object[] ranks = top == null ? null : selector.top().keys(whole);
        Row row = new Row(
                Ranking.values(selector.result()), ranks, selector.order().keys(whole));
        PriorityQueue<Row> first = sets.computeIfAbsent(set, each -> new PriorityQueue<>(rank.reversed()));
        first.add(row);
        long most = top == null ? limit : top.rows();
        if (most > 0 && first.size() > most) {
            first.poll();
        }
    }

    /** Puts the rows into their order, after all were added. */
    void sort() {
        List<Row> all = new ArrayList<>();
        sets.values().forEach(all::addAll);
        sets.clear();
        all.sort(order);
        rows = limit > 0 && all.size() > limit ? new ArrayList<>(all.subList(0, (int) limit)) : all;
    }

    int size() {
        return rows.size();
    }

    void forEach(Consumer<RecordRow> consumer) {
        RecordRow row = new RecordRow(selector.schema());
        for (Row each : rows) {
            Object[] values = each.values();
            for (int slot = 0; slot < values.length; slot++) {
                if (values[slot] == null) {
                    row.setNone(slot);
                } else if (values[slot] instanceof Long number) {
                    row.setLong(slot, number);
                } else if (values[slot] instanceof Double number) {
                    row.setDouble(slot, number);
                } else {
                    row.setText(slot, (String) values[slot]);
                }
            }
            consumer.accept(row);
        }
    }
}
