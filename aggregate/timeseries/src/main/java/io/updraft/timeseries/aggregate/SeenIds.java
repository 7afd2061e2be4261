package io.updraft.timeseries.aggregate;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;

/**
 * The ids of rows that tasks have seen, and when. A row is a duplicate if a row with the same id was added before, of a time at most {@code
 * within} away. Ids are compared themselves, not by a hash. Any thread may call the methods: ids are spread over tables, each with a
 * lock, so of several threads that add an id at once exactly one adds it first.
 */
public final class SeenIds {

    /** The longest time within which ids can be compared, in milliseconds: for ever. */
    public static final long FOREVER = Long.MAX_VALUE / 4;

    private static final int MAX_TABLES = 16;
    /** With fewer ids of a table, the limit would depend on how ids happen to be spread. */
    private static final long LEAST_IDS_OF_TABLE = 1 << 16;

    private final IdTable[] tables;
    /** By task: the time that it has passed. */
    private final AtomicLongArray passed;

    private volatile long passedByAll = Long.MIN_VALUE;
    private volatile long maxIdsOfTable;
    private volatile long maxBytesOfTable;

    /**
     * Creates an empty set.
     *
     * @param within milliseconds, from 1 to {@link #FOREVER}
     * @param bucketLength ids are forgotten in steps of this time, milliseconds
     * @param tasks the number of tasks that add ids
     * @param maxIds the most ids, at least 1: beyond that the ids with the oldest times are forgotten
     * @param maxBytes the most bytes, roughly
     */
    public SeenIds(long within, long bucketLength, int tasks, long maxIds, long maxBytes) {
        tables = new IdTable[tasks == 1 || maxIds < MAX_TABLES * LEAST_IDS_OF_TABLE ? 1 : MAX_TABLES];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = new IdTable(within, bucketLength);
        }
        passed = new AtomicLongArray(tasks);
        for (int task = 0; task < tasks; task++) {
            passed.set(task, Long.MIN_VALUE);
        }
        limit(maxIds, maxBytes);
    }

    /** Changes the limits. Ids beyond them are forgotten while others are added. */
    public void limit(long maxIds, long maxBytes) {
        maxIdsOfTable = Math.max(1, maxIds / tables.length);
        maxBytesOfTable = maxBytes / tables.length;
    }

    /**
     * Adds the id of a row.
     *
     * @param id contains the id; it is not kept
     * @param length the number of its bytes, from the first one on
     * @param time of the row, milliseconds since 1970
     * @return whether the row is the first; false if it is a duplicate
     */
    public boolean add(byte[] id, int length, long time) {
        long hash = IdTable.hash(id, length);
        IdTable table = tables[(int) hash & tables.length - 1];
        synchronized (table) {
            return table.add(id, length, hash, time, passedByAll, maxIdsOfTable, maxBytesOfTable);
        }
    }

    /**
     * Forgets ids, once all tasks have passed their times by more than {@code within}.
     *
     * @param task the task, from 0, that expects no more rows before {@code time}
     * @param time milliseconds since 1970; a time before that of an earlier call changes nothing
     */
    public void passed(int task, long time) {
        if (time <= passed.get(task)) {
            return;
        }
        passed.set(task, time);
        long least = time;
        for (int i = 0; i < passed.length(); i++) {
            least = Math.min(least, passed.get(i));
        }
        // Two tasks may write at once, and the earlier time last: then ids stay until the next call.
        passedByAll = least;
    }

    /** Returns about how many ids are in memory. */
    public long size() {
        return sum(IdTable::size);
    }

    /** Returns how many bytes the ids take. */
    public long bytes() {
        return sum(IdTable::bytes);
    }

    /** Returns how many ids were forgotten because there were too many. */
    public long forgottenEarly() {
        return sum(IdTable::forgottenEarly);
    }

    private long sum(ToLongFunction<IdTable> value) {
        long sum = 0;
        for (IdTable table : tables) {
            synchronized (table) {
                sum += value.applyAsLong(table);
            }
        }
        return sum;
    }
}
