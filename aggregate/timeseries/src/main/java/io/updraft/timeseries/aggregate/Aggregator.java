package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.query.WindowGrid;
import io.updraft.timeseries.query.WindowResult.Emission;
import io.updraft.timeseries.record.KeyTexts;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * The open windows of a query, and the groups in each. Uses no clock: the caller passes the time of each row, and decides when
 * windows close. One thread only.
 *
 * <p>There is a table of groups for each pane. A tumbling window has one pane. Sliding windows share panes that are as long as
 * the slide. A row is thus added once, independent of the number of windows that contain it. The panes of a window are merged
 * when it is closed ("paned" windows: J. Li and others, No Pane, No Gain, 2005).
 */
public final class Aggregator implements AutoCloseable {

    /** Returned by {@link #add} for a row whose windows are all closed. */
    public static final long LATE = Long.MIN_VALUE;

    /** Up to this number of dimensions, values are looked up one after the other. */
    private static final int FEW_DIMENSIONS = 4;

    /** The number of rows between two checks of the dictionaries' size, minus one. */
    private static final int DICTIONARY_CHECK_MASK = (1 << 10) - 1;

    /** The number of rows between two measurements of the memory, minus one. */
    private static final int MEMORY_CHECK_MASK = (1 << 14) - 1;

    private final Schema schema;
    private final GroupLayout layout;
    private final GroupState state;
    private final ResultColumns columns;
    private final AggregatorOptions options;
    private final BudgetPart share;
    private final GroupLimit limit;
    private final GroupCodec codec;
    private final long[] key;

    private Dictionaries dictionaries;
    private final KeyTextKeys textKeys;
    /** Look-ups that have begun: the slots, the words and the hashes of the values. */
    private final long[] found;

    private final long[] words;
    /** The groups of the rows of a block. */
    private final int[] blockGroups = new int[RowBlock.MAX_ROWS];

    private final OpenWindows windows;
    /** Whether rows name the time zones of their windows. */
    private final boolean hasZones;
    /** The pane of the row before; null if there is none. */
    private WindowPane current;

    private long rows;
    private long groups;
    /** The bytes taken from the budget. */
    private long taken;

    private final int number;
    /** The spilled groups; null if there are none. */
    private SpillStore spill;

    Aggregator(Query query, BudgetPart share, int number) {
        this.share = share;
        this.number = number;
        options = share.budget().options;
        limit = share.budget().groups;
        schema = query.result();
        layout = new GroupLayout(query);
        if (options.spill() != null && layout.estimates()) {
            Sketches.checkCanBeBytes(options.spill());
        }
        state = new GroupState(layout);
        codec = new GroupCodec(layout);
        columns = new ResultColumns(layout);
        dictionaries = new Dictionaries(layout);
        windows = new OpenWindows(query, layout, limit);
        hasZones = windows.haveRowZones();
        key = new long[layout.keyWords];
        textKeys = new KeyTextKeys(layout);
        found = new long[layout.dimensions];
        words = new long[3 * layout.dimensions];
    }

    /**
     * Adds a row to each open window that contains its time. A window stays open until {@link #closeWindows} is called with a time at
     * or after its end plus the lateness of the query.
     *
     * @param row the row; it is not kept
     * @param time of the row, milliseconds since 1970
     * @return the end of the latest window that took the row; {@link #LATE} if none did, which includes every time more than
     *     146 million years from 1970, and every row with a {@link #zoneMistake}
     * @throws TooManyGroupsException when there is no room for another group; the row was not added to any window
     */
    public long add(RecordRow row, long time) {
        if (hasZones && !useZone(row)) {
            return LATE;
        }
        WindowPane pane = current;
        if (pane == null || !pane.holds(time)) {
            pane = pane(time);
            if (pane == null) {
                return LATE;
            }
        }
        if ((rows & DICTIONARY_CHECK_MASK) == 0) {
            checkMemory((rows & MEMORY_CHECK_MASK) == 0);
        }
        int keyText = row.keyText();
        if (keyText >= 0 && !textKeys.isOf(row.keyTexts())) {
            useKeyTexts(row.keyTexts());
        }
        int group = keyText < 0 ? -1 : pane.table.ofKeyText(keyText);
        if (group < 0) {
            group = group(pane, row);
        }
        state.add(pane.table, group, row, time, dictionaries.texts);
        pane.changed = ++rows;
        return pane.lastWindowEnd;
    }

    private boolean useZone(RecordRow row) {
        boolean isKnown = windows.useZone(row);
        current = isKnown ? windows.current() : null;
        return isKnown;
    }

    /** Returns why a row belongs to no window, whatever its time: it names no time zone. Null if there is no mistake. */
    public String zoneMistake(RecordRow row) {
        return windows.zoneMistake(row);
    }

    /**
     * Returns the end of the latest window that contains a row, whether the window is open or not.
     *
     * @param row a row without a {@link #zoneMistake}
     * @param time of the row, milliseconds since 1970
     */
    public long lastEnd(RecordRow row, long time) {
        WindowGrid grid = windows.grid(row);
        return grid.end(grid.start(time));
    }

    /** Returns whether rows of all times from one to another may be added at once: they belong to the same windows. */
    public boolean areTogether(long first, long last) {
        return !hasZones && (first == last || !state.readsTimes() && windows.areTogether(first, last));
    }

    /**
     * Adds rows that are {@link #areTogether together}, as {@link #add(RecordRow, long)} does one by one.
     *
     * @param block the rows; it is not kept
     * @param time of one of the rows, milliseconds since 1970
     * @return the end of the latest window that took the rows; {@link #LATE} if none did
     * @throws TooManyGroupsException when there is no room for another group; the rows before the first of that group were added
     */
    public long add(RowBlock block, long time) {
        WindowPane pane = current != null && current.holds(time) ? current : pane(time);
        if (pane == null) {
            return LATE;
        }
        int count = block.count();
        if (!state.takesBlocks()) {
            for (int i = 0; i < count; i++) {
                add(block.row(i), time);
            }
            return pane.lastWindowEnd;
        }
        if ((rows + count & ~DICTIONARY_CHECK_MASK) != (rows & ~DICTIONARY_CHECK_MASK)) {
            checkMemory((rows + count & ~MEMORY_CHECK_MASK) != (rows & ~MEMORY_CHECK_MASK));
        }
        if (block.hasKey() && !textKeys.isOf(block.texts())) {
            useKeyTexts(block.texts());
        }
        int from = 0;
        for (int i = knownGroups(pane.table, block, 0); i < count; i = knownGroups(pane.table, block, i + 1)) {
            // Another group may take the place of all others, which then must have their rows.
            state.add(pane.table, blockGroups, block, from, i, time);
            from = i;
            blockGroups[i] = group(pane, block.row(i));
        }
        state.add(pane.table, blockGroups, block, from, count, time);
        rows += count;
        pane.changed = rows;
        return pane.lastWindowEnd;
    }

    /** Finds the groups of rows. Returns the index of the first row at or after an index whose group is not known. */
    private int knownGroups(GroupTable table, RowBlock block, int first) {
        int count = block.count();
        int i = first;
        if (!block.hasKey()) {
            // All rows belong to one group.
            for (; i > 0 && i < count; i++) {
                blockGroups[i] = blockGroups[0];
            }
            return i;
        }
        int[] texts = block.keyTexts();
        for (; i < count; i++) {
            int group = table.ofKeyText(texts[i]);
            if (group < 0) {
                return i;
            }
            blockGroups[i] = group;
        }
        return i;
    }

    /**
     * Adds a row that an earlier run has added. Its results of windows that end at or before a time contain the row, so the row
     * alone is no reason to return such a result again.
     *
     * @param writtenUntil milliseconds since 1970; {@link Long#MIN_VALUE} for a row that no result contains
     */
    public long add(RecordRow row, long time, long writtenUntil) {
        if (hasZones && !useZone(row)) {
            return LATE;
        }
        WindowPane pane = current != null && current.holds(time) ? current : pane(time);
        if (pane == null) {
            return LATE;
        }
        long changed = pane.changed;
        add(row, time);
        if (writtenUntil != Long.MIN_VALUE) {
            pane.changed = changed;
            pane.restored(rows, writtenUntil);
        }
        return pane.lastWindowEnd;
    }

    private void useKeyTexts(KeyTexts texts) {
        textKeys.use(texts);
        windows.panes().forEach(pane -> pane.table.forgetKeyTexts());
    }

    /** Finds or adds the group of a row. */
    private int group(WindowPane pane, RecordRow row) {
        int keyText = row.keyText();
        long hash = keyText < 0 ? key(row) : keyOfText(row, keyText);
        GroupTable table = pane.table;
        int group = table.find(key, hash);
        if (group < 0) {
            reserve(pane);
            if (pane.table != table) {
                table = pane.table;
                row.expand();
                hash = key(row);
            }
            group = table.insert(key, hash);
            groups++;
        }
        if (keyText >= 0 && textKeys.missing(keyText).length == 0) {
            table.setKeyText(keyText, group);
        }
        return group;
    }

    /** Builds the key of a row with a key text, and returns its hash. */
    private long keyOfText(RecordRow row, int keyText) {
        int[] missing = textKeys.missing(keyText);
        if (!textKeys.copy(keyText, key)) {
            row.expand();
            key(row);
            for (int dimension : missing) {
                key[dimension >> 1] &= ~(0xffffffffL << (dimension << 5));
            }
            textKeys.put(keyText, key);
        }
        for (int dimension : missing) {
            long id = dictionaries.dimensions[dimension].id(row, layout.slots[dimension]);
            key[dimension >> 1] |= id << (dimension << 5);
        }
        return GroupTable.hash(key);
    }

    /** Builds the key of a row, and returns its hash. */
    private long key(RecordRow row) {
        int[] slots = layout.slots;
        Dictionary[] dimensions = dictionaries.dimensions;
        if (slots.length > FEW_DIMENSIONS) {
            return keyOfMany(row, slots, dimensions);
        }
        int pairs = slots.length >> 1;
        for (int i = 0; i < pairs; i++) {
            long first = dimensions[2 * i].id(row, slots[2 * i]);
            long second = dimensions[2 * i + 1].id(row, slots[2 * i + 1]);
            key[i] = second << 32 | first;
        }
        if ((slots.length & 1) != 0) {
            key[pairs] = dimensions[2 * pairs].id(row, slots[2 * pairs]);
        }
        return GroupTable.hash(key);
    }

    /** Builds a key of many dimensions. Reads the slots of all dictionaries first, because most are in no cache. */
    private long keyOfMany(RecordRow row, int[] slots, Dictionary[] dimensions) {
        for (int i = 0; i < slots.length; i++) {
            found[i] = dimensions[i] instanceof TextDictionary texts ? texts.begin(row, slots[i], words, 3 * i) : -1;
        }
        for (int i = 0; i < slots.length; i++) {
            long id = found[i] == -1
                    ? dimensions[i].id(row, slots[i])
                    : ((TextDictionary) dimensions[i]).end(words, 3 * i, found[i]);
            key[i >> 1] = (i & 1) == 0 ? id : key[i >> 1] | id << 32;
        }
        return GroupTable.hash(key);
    }

    private Collection<GroupTable> tables() {
        return windows.panes().stream().map(pane -> pane.table).toList();
    }

    /** Compacts dictionaries with unused values, and measures memory, because sketches and texts grow without new groups. */
    private void checkMemory(boolean measures) {
        if (dictionaries.isGrown()) {
            dictionaries.compact(tables());
            textKeys.forget();
        }
        if (measures && groups > 0) {
            checkBytes(0);
        }
    }

    /** Frees memory for one more group if necessary. This may evict all other groups, and then all ids change. */
    private void reserve(WindowPane pane) {
        if (!limit.add(pane.key, () -> codec.hash(key, dictionaries))) {
            evictOr("the limit is " + options.maxGroups() + ": raise the limit of groups");
        }
        long more = pane.table.bytesToGrow();
        if (more > 0) {
            checkBytes(more);
        }
    }

    private void checkBytes(long more) {
        if (options.maxBytes() == Long.MAX_VALUE) {
            return;
        }
        take(bytes() + more);
        long total = share.budget().bytes.get();
        if (total > options.maxBytes()) {
            evictOr((more > 0 ? "with one more they would take " : "they take ") + total
                    + " bytes of memory, and the limit is " + options.maxBytes() + ": raise the limit of bytes");
        }
    }

    void measure() {
        if (options.maxBytes() != Long.MAX_VALUE) {
            take(bytes());
        }
    }

    private void take(long bytes) {
        share.take(bytes - taken);
        taken = bytes;
    }

    private void evictOr(String problem) {
        if (!share.canEvict()) {
            long total = Math.max(groups, limit.count());
            throw new TooManyGroupsException("there are " + total + " groups in " + windows() + " open windows; "
                    + problem + ", group by fewer fields, or name a directory for groups that do not fit");
        }
        share.evict();
    }

    void evict() {
        windows.panes().forEach(this::evict);
        dictionaries = new Dictionaries(layout);
        textKeys.forget();
        measure();
    }

    private void evict(WindowPane pane) {
        if (spill == null) {
            spill = share.openSpill();
        }
        spill.add(number, pane.number, pane.table, dictionaries, codec);
        replaceTable(pane);
        pane.spilled = true;
    }

    /** Replaces the table of a pane after its groups were evicted or handed to a result. */
    private void replaceTable(WindowPane pane) {
        groups -= pane.table.size;
        limit.left(pane.table.size);
        pane.table = new GroupTable(layout);
    }

    private WindowPane pane(long time) {
        WindowPane pane = windows.pane(time);
        current = pane == null ? current : pane;
        return pane;
    }

    /**
     * Returns the results of windows whose end is at or before a time: results that were not taken before, and those that rows
     * were added to since. Also drops windows whose lateness has passed.
     *
     * @param time milliseconds since 1970; a time before that of an earlier call changes nothing
     * @return the results, by the windows' ends; windows without rows are omitted
     */
    public List<PartialResult> closeWindows(long time) {
        windows.close(time);
        List<PartialResult> results = new ArrayList<>();
        Iterator<OpenWindow> each = windows.iterator();
        while (each.hasNext()) {
            OpenWindow open = each.next();
            if (!windows.isClosed(open)) {
                break;
            }
            if (open.changed() > open.taken) {
                Emission emission = open.isWritten() ? Emission.UPDATE : Emission.FINAL;
                open.taken = rows;
                results.add(result(open, emission));
            }
            if (windows.isDropped(open.window.end())) {
                each.remove();
                open.panes.forEach(this::leave);
            }
        }
        measure();
        return results;
    }

    private void leave(WindowPane pane) {
        if (windows.leave(pane)) {
            current = null;
            replaceTable(pane);
            limit.forgotten(pane.key);
            if (pane.spilled) {
                spill.remove(number, pane.number);
            }
        }
    }

    /**
     * Copies the results of windows that contain only rows of results of an earlier run, and that such rows were added to since
     * the last call.
     */
    public List<PartialResult> restored() {
        List<PartialResult> results = new ArrayList<>();
        for (OpenWindow open : windows) {
            if (open.changed() <= open.taken && open.restored() > open.takenRestored) {
                open.takenRestored = rows;
                results.add(result(open, Emission.UPDATE));
            }
        }
        return results;
    }

    private PartialResult result(OpenWindow open, Emission emission) {
        if (open.panes.stream().anyMatch(pane -> pane.spilled)) {
            return spilledResult(open, emission);
        }
        GroupTable whole = null;
        boolean owned = false;
        for (WindowPane pane : open.panes) {
            if (whole == null) {
                whole = pane.table;
                owned = windows.isDropped(open.window.end()) && pane.openWindows == 1;
                if (owned) {
                    // No other window needs this pane: the result takes its table, and other panes are merged into it.
                    replaceTable(pane);
                }
            } else {
                whole = owned ? whole : new GroupTable(whole);
                owned = true;
                mergeAll(whole, pane.table);
            }
        }
        GroupTable table = owned ? whole : new GroupTable(whole);
        return TableResult.of(open.window, emission, schema, columns, table, dictionaries);
    }

    private PartialResult spilledResult(OpenWindow open, Emission emission) {
        List<GroupCursor> cursors = new ArrayList<>();
        for (WindowPane pane : open.panes) {
            evict(pane);
            cursors.add(spill.read(number, pane.number));
        }
        GroupFile file = GroupFile.write(spill.directory().getParent(), layout, cursors);
        return new FileResult(open.window, emission, schema, layout, file);
    }

    private void mergeAll(GroupTable table, GroupTable other) {
        for (int group = 0; group < other.size; group++) {
            System.arraycopy(other.page(group), other.base(group), key, 0, key.length);
            long hash = GroupTable.hash(key);
            int to = table.obtain(key, hash);
            state.merge(table, to, dictionaries.texts, other, group, dictionaries.texts);
        }
    }

    /** Copies the results of windows that have not ended and that rows were added to since the last call. */
    public List<PartialResult> early() {
        List<PartialResult> results = new ArrayList<>();
        for (OpenWindow open : windows) {
            if (!windows.isClosed(open) && open.changed() > open.takenEarly) {
                open.takenEarly = rows;
                results.add(result(open, Emission.EARLY));
            }
        }
        return results;
    }

    /** Returns the number of open windows. */
    public int windows() {
        return windows.size();
    }

    /**
     * Returns the number of groups in memory of all open windows. For sliding windows, returns the number of groups of their
     * panes.
     */
    public long groups() {
        return groups;
    }

    /**
     * Returns the approximate size of the state, bytes, without the fixed size of an aggregator. Accurate enough for alarms.
     */
    public long bytes() {
        return dictionaries.bytes()
                + textKeys.bytes()
                + windows.panes().stream().mapToLong(pane -> pane.table.bytes()).sum();
    }

    /** Releases memory outside the heap, and disk space. */
    @Override
    public void close() {
        windows.panes().forEach(pane -> {
            replaceTable(pane);
            limit.forgotten(pane.key);
        });
        windows.clear();
        current = null;
        take(0);
        share.closed(this);
        if (spill != null) {
            spill.remove(number);
            spill = null;
            share.closeSpill();
        }
    }
}
