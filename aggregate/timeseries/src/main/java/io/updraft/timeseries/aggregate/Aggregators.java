package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowResult.Emission;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Creates aggregators, and merges their results. */
public final class Aggregators {

    private Aggregators() {}

    /** Creates an aggregator for a query. It has a budget of its own. */
    public static Aggregator create(Query query, AggregatorOptions options) {
        return new GroupBudget(options).share().aggregator(query);
    }

    /**
     * Merges results of several aggregators for one window of one query. Groups with the same dimensions become one. Sums,
     * counts, minima and maxima equal those of one aggregator that had all rows; estimates differ within their error. Of last
     * values with the same time, the one of the later result counts. The parts are not changed, and may be merged again.
     *
     * @param parts at least one
     * @return the only part if there is just one; EARLY if a part is, else UPDATE if a part is, else FINAL
     * @throws IllegalArgumentException when there is no part, or the parts are of different windows or queries
     */
    public static WindowResult merge(List<PartialResult> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("there are no results to merge");
        }
        return parts.size() == 1 ? parts.get(0) : ResultMerge.of(parts, emission(parts));
    }

    private static Emission emission(List<PartialResult> parts) {
        boolean early = parts.stream().anyMatch(part -> part.emission() == Emission.EARLY);
        boolean update = parts.stream().anyMatch(part -> part.emission() == Emission.UPDATE);
        return early ? Emission.EARLY : update ? Emission.UPDATE : Emission.FINAL;
    }

    /** Merges tables with different dictionaries. Each id is looked up in the new dictionary once, not once for each group. */
    private static final class ResultMerge {

        private final GroupTable table;
        private final Dictionaries dictionaries;
        private final GroupState state;
        private final long[] key;

        private ResultMerge(GroupLayout layout) {
            table = new GroupTable(layout);
            dictionaries = new Dictionaries(layout);
            state = new GroupState(layout);
            key = new long[layout.keyWords];
        }

        static WindowResult of(List<PartialResult> parts, Emission emission) {
            PartialResult first = parts.get(0);
            for (PartialResult part : parts) {
                if (!part.window().equals(first.window()) || !layout(part).query.equals(layout(first).query)) {
                    throw new IllegalArgumentException("results of " + first.window() + " and " + part.window()
                            + ", or of different queries, cannot be merged");
                }
            }
            for (PartialResult part : parts) {
                if (part instanceof FileResult file) {
                    return onDisk(parts, emission, file);
                }
            }
            return inMemory(parts, emission, (TableResult) first);
        }

        private static GroupLayout layout(PartialResult part) {
            return part instanceof FileResult file ? file.layout() : ((TableResult) part).table().layout;
        }

        private static WindowResult inMemory(List<PartialResult> parts, Emission emission, TableResult first) {
            ResultMerge merge = new ResultMerge(first.table().layout);
            parts.forEach(part -> merge.add((TableResult) part));
            return TableResult.of(
                    first.window(), emission, first.schema(), first.columns(), merge.table, merge.dictionaries);
        }

        private static WindowResult onDisk(List<PartialResult> parts, Emission emission, FileResult any) {
            List<GroupCursor> cursors = new ArrayList<>();
            for (PartialResult part : parts) {
                cursors.add(part instanceof FileResult file ? file.file().read() : new TableCursor((TableResult) part));
            }
            GroupFile file = GroupFile.write(any.file().directory(), any.layout(), cursors);
            return new FileResult(any.window(), emission, any.schema(), any.layout(), file);
        }

        private void add(TableResult part) {
            GroupTable other = part.table();
            int[][] ids = new int[dictionaries.dimensions.length][];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = new int[part.dictionaries().dimensions[i].size() + 1];
            }
            for (int group = 0; group < other.size; group++) {
                translate(part, group, ids);
                long hash = GroupTable.hash(key);
                int to = table.obtain(key, hash);
                state.merge(table, to, dictionaries.texts, other, group, part.dictionaries().texts);
            }
        }

        private void translate(TableResult part, int group, int[][] ids) {
            for (int i = 0; i < ids.length; i++) {
                int old = part.table().id(group, i);
                int id = ids[i][old];
                if (id == 0 && old != 0) {
                    id = dictionaries.dimensions[i].id(part.dictionaries().dimensions[i], old);
                    ids[i][old] = id;
                }
                key[i >> 1] = (i & 1) == 0 ? id : key[i >> 1] | (long) id << 32;
            }
        }
    }

    /** Iterates over the groups of a table in the order of their keys. Needs memory for all keys. */
    private static final class TableCursor implements GroupCursor {

        private record Keyed(byte[] key, int group) {}

        private final TableResult result;
        private final GroupCodec codec;
        private final Keyed[] groups;
        private int at = -1;

        TableCursor(TableResult result) {
            this.result = result;
            codec = new GroupCodec(result.table().layout);
            groups = new Keyed[result.table().size];
            Arrays.setAll(groups, i -> new Keyed(codec.key(result.table(), i, result.dictionaries()), i));
            Arrays.sort(groups, Comparator.comparing(Keyed::key, Arrays::compareUnsigned));
        }

        @Override
        public boolean next() {
            return ++at < groups.length;
        }

        @Override
        public byte[] key() {
            return groups[at].key;
        }

        @Override
        public ByteBuffer states() {
            return ByteBuffer.wrap(codec.state(result.table(), groups[at].group, result.dictionaries()));
        }

        @Override
        public void close() {}
    }
}
