package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.aggregate.GroupLayout.Accumulator;
import io.updraft.timeseries.record.FieldType;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * The dictionaries of an aggregator: one for each dimension, and one for each measure whose value is text.
 *
 * <p>Nothing is removed from a dictionary, so values that are in no open window would stay forever. {@link #compact} therefore
 * finds the values in use by a pass over all groups. It replaces a dictionary with less than half of its values in use by a new
 * one, and changes the ids in the tables. It runs when the dictionaries have grown to twice the values that they had after its
 * last run, or by as many values as there were groups then, whichever is more, but not below 4,096 values. The cost for each
 * new value is therefore constant.
 */
final class Dictionaries {

    private static final long FEW = 4096;

    final Dictionary[] dimensions;
    final TextDictionary[] texts;
    private final GroupLayout layout;
    private long limit = FEW;

    Dictionaries(GroupLayout layout) {
        this.layout = layout;
        dimensions = new Dictionary[layout.dimensions];
        for (int i = 0; i < dimensions.length; i++) {
            String field = layout.query.dimensions().get(i);
            FieldType type = layout.query.input().fields().get(layout.slots[i]).type();
            dimensions[i] = type == FieldType.TEXT ? new TextDictionary(field) : new LongDictionary(field);
        }
        texts = layout.texts.stream().map(TextDictionary::new).toArray(TextDictionary[]::new);
    }

    private Dictionaries(Dictionaries of) {
        layout = of.layout;
        dimensions = Arrays.stream(of.dimensions).map(Dictionary::view).toArray(Dictionary[]::new);
        texts = Arrays.stream(of.texts).map(Dictionary::view).toArray(TextDictionary[]::new);
    }

    Dictionaries view() {
        return new Dictionaries(this);
    }

    long bytes() {
        return all().mapToLong(Dictionary::bytes).sum();
    }

    long size() {
        long size = 0;
        for (Dictionary dictionary : dimensions) {
            size += dictionary.size();
        }
        for (Dictionary dictionary : texts) {
            size += dictionary.size();
        }
        return size;
    }

    private Stream<Dictionary> all() {
        return Stream.concat(Arrays.stream(dimensions), Arrays.stream(texts));
    }

    boolean isGrown() {
        return size() > limit;
    }

    /** Rebuilds dictionaries whose values are mostly unused, and changes the ids in the tables. */
    void compact(Collection<GroupTable> tables) {
        boolean rehash = false;
        for (int i = 0; i < dimensions.length; i++) {
            int dimension = i;
            Dictionary rebuilt = rebuilt(
                    dimensions[i],
                    tables,
                    (table, group, mapping) ->
                            table.id(group, dimension, (int) mapping.applyAsLong(table.id(group, dimension))));
            rehash |= rebuilt != dimensions[i];
            dimensions[i] = rebuilt;
        }
        for (Accumulator accumulator : layout.accumulators) {
            int text = accumulator.text();
            if (text >= 0) {
                Ids ids = GroupLayout.isText(accumulator.code()) ? idsAt(accumulator) : idsOfValues(accumulator);
                texts[text] = (TextDictionary) rebuilt(texts[text], tables, ids);
            }
        }
        if (rehash) {
            tables.forEach(GroupTable::rehash);
        }
        long groups = tables.stream().mapToLong(table -> table.size).sum();
        limit = Math.max(FEW, size() + Math.max(size(), groups));
    }

    /** The ids of one dictionary in a group. */
    private interface Ids {
        /** Replaces each id of a group. */
        void map(GroupTable table, int group, LongUnaryOperator mapping);

        default void map(Collection<GroupTable> tables, LongUnaryOperator mapping) {
            for (GroupTable table : tables) {
                for (int group = 0; group < table.size; group++) {
                    map(table, group, mapping);
                }
            }
        }
    }

    private static Ids idsAt(Accumulator accumulator) {
        int at = GroupCodec.textAt(accumulator);
        return (table, group, mapping) -> {
            int word = table.base(group) + at;
            table.page(group)[word] = mapping.applyAsLong(table.page(group)[word]);
        };
    }

    private static Ids idsOfValues(Accumulator accumulator) {
        return (table, group, mapping) -> {
            ValueCounts values = (ValueCounts) table.sketch(group, accumulator.sketch());
            if (values != null) {
                values.map(mapping);
            }
        };
    }

    /** Returns a dictionary of the ids in use, and changes the ids in the tables; the old one if that is not worthwhile. */
    private static Dictionary rebuilt(Dictionary old, Collection<GroupTable> tables, Ids inTables) {
        int[] ids = new int[old.size() + 1];
        inTables.map(tables, id -> {
            ids[(int) id] = 1;
            return id;
        });
        if (Arrays.stream(ids, 1, ids.length).sum() >= old.size() / 2) {
            return old;
        }
        Dictionary rebuilt = old.fresh();
        ids[0] = 0;
        for (int id = 1; id < ids.length; id++) {
            ids[id] = ids[id] == 0 ? 0 : rebuilt.id(old, id);
        }
        inTables.map(tables, id -> ids[(int) id]);
        return rebuilt;
    }
}
