package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.aggregate.GroupLayout.Accumulator;
import io.updraft.timeseries.dictionary.Dictionary;
import io.updraft.timeseries.dictionary.LongDictionary;
import io.updraft.timeseries.dictionary.TextDictionary;
import io.updraft.timeseries.record.FieldType;
import java.util.Arrays;
import java.util.Collection;

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

    /** Returns a read-only view of the current values. */
    Dictionaries view() {
        return new Dictionaries(this);
    }

    long bytes() {
        long bytes = 0;
        for (Dictionary dictionary : dimensions) {
            bytes += dictionary.bytes();
        }
        for (Dictionary dictionary : texts) {
            bytes += dictionary.bytes();
        }
        return bytes;
    }

    /** Returns the number of values in all dictionaries together. */
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

    /** Returns whether {@link #compact} may be worthwhile. */
    boolean isGrown() {
        return size() > limit;
    }

    /** Rebuilds dictionaries whose values are mostly unused, and changes the ids in the tables. */
    void compact(Collection<GroupTable> tables) {
        boolean rehash = false;
        for (int i = 0; i < dimensions.length; i++) {
            rehash |= compactDimension(i, tables);
        }
        for (Accumulator accumulator : layout.accumulators) {
            if (GroupLayout.isText(accumulator.code())) {
                compactText(accumulator, tables);
            }
        }
        if (rehash) {
            tables.forEach(GroupTable::rehash);
        }
        long groups = tables.stream().mapToLong(table -> table.size).sum();
        limit = Math.max(FEW, size() + Math.max(size(), groups));
    }

    private boolean compactDimension(int dimension, Collection<GroupTable> tables) {
        Dictionary old = dimensions[dimension];
        int[] ids = new int[old.size() + 1];
        for (GroupTable table : tables) {
            for (int group = 0; group < table.size; group++) {
                ids[table.id(group, dimension)] = 1;
            }
        }
        if (!isWorthIt(old, ids)) {
            return false;
        }
        dimensions[dimension] = rebuilt(old, ids);
        for (GroupTable table : tables) {
            for (int group = 0; group < table.size; group++) {
                table.id(group, dimension, ids[table.id(group, dimension)]);
            }
        }
        return true;
    }

    private void compactText(Accumulator accumulator, Collection<GroupTable> tables) {
        TextDictionary old = texts[accumulator.extra()];
        int at = GroupCodec.textAt(accumulator);
        int[] ids = new int[old.size() + 1];
        for (GroupTable table : tables) {
            for (int group = 0; group < table.size; group++) {
                ids[(int) table.page(group)[table.base(group) + at]] = 1;
            }
        }
        if (!isWorthIt(old, ids)) {
            return;
        }
        texts[accumulator.extra()] = (TextDictionary) rebuilt(old, ids);
        for (GroupTable table : tables) {
            for (int group = 0; group < table.size; group++) {
                int word = table.base(group) + at;
                table.page(group)[word] = ids[(int) table.page(group)[word]];
            }
        }
    }

    private static boolean isWorthIt(Dictionary dictionary, int[] used) {
        return Arrays.stream(used, 1, used.length).sum() < dictionary.size() / 2;
    }

    /** Creates a dictionary of the ids that are marked with 1, and replaces each mark with the new id. */
    private static Dictionary rebuilt(Dictionary old, int[] ids) {
        Dictionary rebuilt = old.fresh();
        ids[0] = 0;
        for (int id = 1; id < ids.length; id++) {
            ids[id] = ids[id] == 0 ? 0 : rebuilt.id(old, id);
        }
        return rebuilt;
    }
}
