package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.aggregate.GroupLayout.Accumulator;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import org.apache.datasketches.hll.HllSketch;

/** Adds rows and other states to the words of groups. For one layout and one thread. */
final class GroupState {

    private static final int CACHED_WORDS = 1 << 11;

    private final GroupLayout layout;
    private final int[] codes;
    private final int[] slots;
    private final int[] at;
    private final int[] sketches;
    private final int[] dictionaries;
    /** Whether the values of an accumulator's field are floating-point numbers. */
    private final boolean[] areReal;

    private final long[] bits;
    /** The word that counts the values of an accumulator's field; -1 if the field has a bit. */
    private final int[] counts;

    private final boolean takesBlocks;
    /** Whether the time of a row matters apart from its pane. */
    private final boolean readsTimes;
    /** The number of rows that are added at once: their groups fit the first cache. */
    private final int step;
    /** The place of the group of each row of a block. */
    private final int[] bases = new int[RowBlock.MAX_ROWS];

    private final long[][] pages = new long[RowBlock.MAX_ROWS][];

    GroupState(GroupLayout layout) {
        this.layout = layout;
        // Accumulators of one field come one after the other, so that its value is read once; those without a field
        // come first.
        Accumulator[] accumulators = layout.accumulators.clone();
        Arrays.sort(accumulators, Comparator.comparingInt(Accumulator::slot));
        int count = accumulators.length;
        codes = new int[count];
        slots = new int[count];
        at = new int[count];
        sketches = new int[count];
        dictionaries = new int[count];
        areReal = new boolean[count];
        bits = new long[count];
        counts = new int[count];
        for (int i = 0; i < count; i++) {
            Accumulator accumulator = accumulators[i];
            codes[i] = accumulator.code();
            slots[i] = accumulator.slot();
            at[i] = accumulator.at();
            sketches[i] = accumulator.sketch();
            dictionaries[i] = accumulator.text();
            areReal[i] = slots[i] >= 0 && layout.type(slots[i]) == FieldType.DOUBLE;
            bits[i] = accumulator.bit();
            Accumulator counter = layout.find(GroupLayout.COUNT_FIELD, slots[i]);
            counts[i] = counter == null ? -1 : counter.at();
        }
        readsTimes = Arrays.stream(codes).anyMatch(GroupLayout::hasTime);
        step = Math.max(16, CACHED_WORDS / Math.max(1, layout.width));
        takesBlocks = Arrays.stream(codes)
                .allMatch(
                        code -> code < GroupLayout.MIN_TEXT || GroupLayout.hasTime(code) && !GroupLayout.isText(code));
    }

    /**
     * Adds a row to a group. One loop over all accumulators with one switch for each. Calling each accumulator through an
     * interface would cost twice as much.
     */
    void add(GroupTable table, int group, RecordRow row, long time, TextDictionary[] texts) {
        long[] page = table.page(group);
        int base = table.base(group);
        long present = 0;
        int read = -1;
        byte kind = RecordRow.LONG;
        long whole = 0;
        double real = 0;
        for (int i = 0; i < codes.length; i++) {
            int slot = slots[i];
            if (slot != read) {
                read = slot;
                kind = row.kind(slot);
                whole = row.getLong(slot);
                real = kind == RecordRow.LONG ? whole : Double.longBitsToDouble(whole);
            }
            if (kind == RecordRow.NONE) {
                continue;
            }
            present |= bits[i];
            int word = base + at[i];
            switch (codes[i]) {
                case GroupLayout.COUNT_ROWS, GroupLayout.COUNT_FIELD -> page[word]++;
                case GroupLayout.SUM_LONG -> ExactSums.addLong(page, word, whole);
                case GroupLayout.SUM_DOUBLE -> ExactSums.addDouble(page, word, real);
                case GroupLayout.SQUARES_LONG -> ExactSums.addSquare(page, word, whole);
                case GroupLayout.SQUARES_DOUBLE -> ExactSums.addSquare(page, word, real);
                case GroupLayout.MIN_LONG -> page[word] = Math.min(page[word], whole);
                case GroupLayout.MAX_LONG -> page[word] = Math.max(page[word], whole);
                case GroupLayout.MIN_DOUBLE -> page[word] = Math.min(page[word], ordered(real));
                case GroupLayout.MAX_DOUBLE -> page[word] = Math.max(page[word], ordered(real));
                case GroupLayout.LAST_LONG -> last(page, word, time, whole);
                case GroupLayout.LAST_DOUBLE -> last(page, word, time, Double.doubleToRawLongBits(real));
                case GroupLayout.FIRST_LONG -> first(page, word, time, whole);
                case GroupLayout.FIRST_DOUBLE -> first(page, word, time, Double.doubleToRawLongBits(real));
                default -> addRare(i, table, group, row, time, texts);
            }
        }
        if (present != 0) {
            page[base + layout.bitsAt] |= present;
        }
    }

    boolean readsTimes() {
        return readsTimes;
    }

    /** Returns whether {@link #add(GroupTable, int[], RowBlock, int, int, long)} can add to all accumulators. */
    boolean takesBlocks() {
        return takesBlocks;
    }

    /**
     * Adds some rows of a block to their groups: one short loop over the rows for each accumulator.
     *
     * @param groups the group of each row
     */
    void add(GroupTable table, int[] groups, RowBlock block, int from, int to, long time) {
        for (int i = from; i < to; i += step) {
            addSome(table, groups, block, i, Math.min(to, i + step), time);
        }
    }

    private void addSome(GroupTable table, int[] groups, RowBlock block, int from, int to, long time) {
        long[][] pages = table.pages;
        int shift = table.pageShift;
        for (int i = from; i < to; i++) {
            bases[i] = table.base(groups[i]);
            this.pages[i] = pages[groups[i] >>> shift];
        }
        long present = 0;
        for (int i = 0; i < codes.length; i++) {
            long[] values = slots[i] < 0 ? null : block.values(slots[i]);
            if (slots[i] >= 0 && values == null) {
                continue;
            }
            present |= bits[i];
            add(codes[i], at[i], values, from, to, time);
        }
        if (present != 0) {
            for (int i = from; i < to; i++) {
                this.pages[i][bases[i] + layout.bitsAt] |= present;
            }
        }
    }

    private void add(int code, int word, long[] values, int from, int to, long time) {
        switch (code) {
            case GroupLayout.COUNT_ROWS, GroupLayout.COUNT_FIELD -> addCounts(word, from, to);
            case GroupLayout.SUM_DOUBLE -> addDoubles(word, values, from, to);
            case GroupLayout.SUM_LONG -> addLongs(word, values, from, to);
            case GroupLayout.MIN_LONG, GroupLayout.MAX_LONG, GroupLayout.MIN_DOUBLE, GroupLayout.MAX_DOUBLE ->
                addExtremes(code, word, values, from, to);
            case GroupLayout.LAST_LONG, GroupLayout.LAST_DOUBLE -> {
                for (int i = from; i < to; i++) {
                    last(pages[i], bases[i] + word, time, values[i]);
                }
            }
            case GroupLayout.FIRST_LONG, GroupLayout.FIRST_DOUBLE -> {
                for (int i = from; i < to; i++) {
                    first(pages[i], bases[i] + word, time, values[i]);
                }
            }
            case GroupLayout.SQUARES_LONG -> {
                for (int i = from; i < to; i++) {
                    ExactSums.addSquare(pages[i], bases[i] + word, values[i]);
                }
            }
            default -> {
                for (int i = from; i < to; i++) {
                    ExactSums.addSquare(pages[i], bases[i] + word, Double.longBitsToDouble(values[i]));
                }
            }
        }
    }

    private void addCounts(int word, int from, int to) {
        for (int i = from; i < to; i++) {
            pages[i][bases[i] + word]++;
        }
    }

    private void addDoubles(int word, long[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            ExactSums.addDouble(pages[i], bases[i] + word, Double.longBitsToDouble(values[i]));
        }
    }

    private void addLongs(int word, long[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            ExactSums.addLong(pages[i], bases[i] + word, values[i]);
        }
    }

    private void addExtremes(int code, int word, long[] values, int from, int to) {
        boolean real = code == GroupLayout.MIN_DOUBLE || code == GroupLayout.MAX_DOUBLE;
        boolean min = code == GroupLayout.MIN_DOUBLE || code == GroupLayout.MIN_LONG;
        for (int i = from; i < to; i++) {
            long value = real ? flip(values[i]) : values[i];
            long[] page = pages[i];
            int index = bases[i] + word;
            if (min ? value < page[index] : value > page[index]) {
                page[index] = value;
            }
        }
    }

    private void addRare(int i, GroupTable table, int group, RecordRow row, long time, TextDictionary[] texts) {
        long[] page = table.page(group);
        int word = table.base(group) + at[i];
        int sketch = sketches[i];
        int slot = slots[i];
        TextDictionary dictionary = dictionaries[i] < 0 ? null : texts[dictionaries[i]];
        switch (codes[i]) {
            case GroupLayout.MIN_TEXT, GroupLayout.MAX_TEXT -> {
                int id = (int) page[word];
                if (id == 0 || dictionary.compare(row, slot, id) < 0 == (codes[i] == GroupLayout.MIN_TEXT)) {
                    page[word] = dictionary.id(row, slot);
                }
            }
            case GroupLayout.LAST_TEXT -> {
                if (time >= page[word]) {
                    last(page, word, time, dictionary.id(row, slot));
                }
            }
            case GroupLayout.FIRST_TEXT -> {
                if (time < page[word]) {
                    first(page, word, time, dictionary.id(row, slot));
                }
            }
            case GroupLayout.DISTINCT ->
                Sketches.addDistinct((HllSketch) sketch(table, group, sketch, Sketches::newDistinct), row, slot);
            case GroupLayout.QUANTILE ->
                ((Quantiles) sketch(table, group, sketch, Quantiles::new)).add(row.getDouble(slot));
            default -> values(table, group, i).add(key(i, row, dictionary), 1);
        }
    }

    private ValueCounts values(GroupTable table, int group, int i) {
        ValueCounts values = (ValueCounts) table.sketch(group, sketches[i]);
        if (values == null) {
            values = layout.newValues(slots[i]);
            table.sketch(group, sketches[i], values);
        }
        return values;
    }

    private long key(int i, RecordRow row, TextDictionary dictionary) {
        int slot = slots[i];
        if (dictionary != null) {
            return dictionary.id(row, slot);
        }
        return areReal[i] ? ValueCounts.key(row.getDouble(slot)) : row.getLong(slot);
    }

    private static Object sketch(GroupTable table, int group, int index, Supplier<?> empty) {
        Object sketch = table.sketch(group, index);
        if (sketch == null) {
            sketch = empty.get();
            table.sketch(group, index, sketch);
        }
        return sketch;
    }

    private static void last(long[] page, int word, long time, long value) {
        if (time >= page[word]) {
            page[word] = time;
            page[word + 1] = value;
        }
    }

    private static void first(long[] page, int word, long time, long value) {
        if (time < page[word]) {
            page[word] = time;
            page[word + 1] = value;
        }
    }

    /**
     * Maps a floating-point number to a whole number in the order of {@link Double#compare}, and back. The mapping is its own
     * inverse.
     */
    static long ordered(double value) {
        return flip(Double.doubleToLongBits(value));
    }

    static long flip(long bits) {
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    /**
     * Adds the state of another group to a group of this layout, without changing the other group.
     *
     * @param texts the dictionaries of the first group
     * @param others the dictionaries of the other group
     */
    void merge(
            GroupTable table, int group, TextDictionary[] texts, GroupTable other, int from, TextDictionary[] others) {
        long[] page = table.page(group);
        int base = table.base(group);
        long[] added = other.page(from);
        int start = other.base(from);
        if (layout.bitsAt >= 0) {
            page[base + layout.bitsAt] |= added[start + layout.bitsAt];
        }
        for (int i = 0; i < codes.length; i++) {
            int word = base + at[i];
            int add = start + at[i];
            switch (codes[i]) {
                case GroupLayout.COUNT_ROWS, GroupLayout.COUNT_FIELD -> page[word] += added[add];
                case GroupLayout.SUM_LONG -> ExactSums.add128(page, word, added[add], added[add + 1]);
                case GroupLayout.SQUARES_LONG ->
                    ExactSums.add192(page, word, added[add], added[add + 1], added[add + 2]);
                case GroupLayout.SQUARES_DOUBLE -> ExactSums.addSquares(page, word, added, add);
                case GroupLayout.SUM_DOUBLE ->
                    ExactSums.addPair(
                            page, word, Double.longBitsToDouble(added[add]), Double.longBitsToDouble(added[add + 1]));
                case GroupLayout.MIN_LONG, GroupLayout.MIN_DOUBLE -> page[word] = Math.min(page[word], added[add]);
                case GroupLayout.MAX_LONG, GroupLayout.MAX_DOUBLE -> page[word] = Math.max(page[word], added[add]);
                case GroupLayout.LAST_LONG, GroupLayout.LAST_DOUBLE -> {
                    if (has(i, added, start)) {
                        last(page, word, added[add], added[add + 1]);
                    }
                }
                case GroupLayout.LAST_TEXT -> {
                    if (added[add + 1] != 0 && added[add] >= page[word]) {
                        last(page, word, added[add], id(i, texts, others, added[add + 1]));
                    }
                }
                case GroupLayout.FIRST_LONG, GroupLayout.FIRST_DOUBLE -> {
                    if (has(i, added, start)) {
                        first(page, word, added[add], added[add + 1]);
                    }
                }
                case GroupLayout.FIRST_TEXT -> {
                    if (added[add + 1] != 0 && added[add] < page[word]) {
                        first(page, word, added[add], id(i, texts, others, added[add + 1]));
                    }
                }
                case GroupLayout.MIN_TEXT, GroupLayout.MAX_TEXT ->
                    mergeText(i, page, word, texts[dictionaries[i]], (int) added[add], others[dictionaries[i]]);
                case GroupLayout.VALUES -> mergeValues(i, table, group, texts, other, from, others);
                default -> mergeSketch(table, group, other, from, sketches[i]);
            }
        }
    }

    private boolean has(int i, long[] page, int base) {
        return counts[i] >= 0 ? page[base + counts[i]] != 0 : (page[base + layout.bitsAt] & bits[i]) != 0;
    }

    private void mergeText(int i, long[] page, int word, TextDictionary texts, int added, TextDictionary others) {
        int id = (int) page[word];
        if (added != 0
                && (id == 0
                        || TextDictionary.compare(others, added, texts, id) < 0
                                == (codes[i] == GroupLayout.MIN_TEXT))) {
            page[word] = id(texts, others, added);
        }
    }

    private int id(int i, TextDictionary[] texts, TextDictionary[] others, long id) {
        return id(texts[dictionaries[i]], others[dictionaries[i]], (int) id);
    }

    private void mergeValues(
            int i,
            GroupTable table,
            int group,
            TextDictionary[] texts,
            GroupTable other,
            int from,
            TextDictionary[] others) {
        ValueCounts added = (ValueCounts) other.sketch(from, sketches[i]);
        if (added != null) {
            ValueCounts values = values(table, group, i);
            boolean isText = dictionaries[i] >= 0;
            added.forEach((key, count) -> values.add(isText ? id(i, texts, others, key) : key, count));
        }
    }

    private static int id(TextDictionary texts, TextDictionary others, int id) {
        return texts == others ? id : texts.id(others, id);
    }

    private static void mergeSketch(GroupTable table, int group, GroupTable other, int from, int index) {
        Object added = other.sketch(from, index);
        if (added != null) {
            table.sketch(group, index, Sketches.merge(table.sketch(group, index), added));
        }
    }
}
