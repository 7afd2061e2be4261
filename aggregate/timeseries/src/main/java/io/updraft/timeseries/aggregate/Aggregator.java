package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;

/**
 * The open windows of a query, and the groups in each. Uses no clock: the caller passes the time of each row, and decides when
 * windows close. One thread only.
 */
public interface Aggregator extends AutoCloseable {

    /** Returned by {@link #add} for a row whose windows are all closed. */
    long LATE = Long.MIN_VALUE;

    /**
     * Adds a row to each open window that contains its time. A window stays open until {@link #close} is called with a time at
     * or after its end plus the lateness of the query.
     *
     * @param row the row; it is not kept
     * @param time of the row, milliseconds since 1970
     * @return the end of the latest window that took the row; {@link #LATE} if none did, which includes every time more than
     *     146 million years from 1970
     * @throws TooManyGroupsException when there is no room for another group; the row was not added to any window
     */
    long add(RecordRow row, long time);

    /**
     * Adds a row that an earlier run has added. Its results of windows that end at or before a time contain the row, so the row
     * alone is no reason to return such a result again.
     *
     * @param writtenUntil milliseconds since 1970; {@link Long#MIN_VALUE} for a row that no result contains
     */
    long add(RecordRow row, long time, long writtenUntil);

    /**
     * Copies the results of windows that contain only rows of results of an earlier run, and that such rows were added to since
     * the last call.
     */
    List<PartialResult> restored();

    /**
     * Returns the results of windows whose end is at or before a time: results that were not taken before, and those that rows
     * were added to since. Also drops windows whose lateness has passed.
     *
     * @param time milliseconds since 1970; a time before that of an earlier call changes nothing
     * @return the results, by the windows' ends; windows without rows are omitted
     */
    List<PartialResult> close(long time);

    /** Copies the results of windows that have not ended and that rows were added to since the last call. */
    List<PartialResult> early();

    /** Returns the number of open windows. */
    int windows();

    /**
     * Returns the number of groups in memory of all open windows. For sliding windows, returns the number of groups of their
     * panes.
     */
    long groups();

    /**
     * Returns the approximate size of the state, bytes, without the fixed size of an aggregator. Accurate enough for alarms.
     */
    long bytes();

    /** Releases memory outside the heap, and disk space. */
    @Override
    void close();
}
