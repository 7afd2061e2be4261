package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Row;
import java.util.List;

/**
 * The open windows of a query, and the groups in each. Knows no clock: it is told the time of each row, and when to close
 * windows. One thread only.
 */
public interface Aggregator extends AutoCloseable {

    /** Returned by {@link #add} for a row whose windows are all closed. */
    long LATE = Long.MIN_VALUE;

    /**
     * Adds a row to each open window that its time lies in. A window is open until {@link #close} was told of a time at or after
     * its end plus the lateness that the query allows.
     *
     * @param row read, and not kept
     * @param time of the row, milliseconds since 1970
     * @return the end of the latest window that has taken it; {@link #LATE} if none has, as none does of a time 146 million years from
     *     1970
     * @throws TooManyGroups when there is no room for another group; the row was not added to any window
     */
    long add(Row row, long time);

    /**
     * Takes results of windows whose end is at or before a time: those not taken before, and those that rows have been added to
     * since. Forgets windows whose lateness has passed too.
     *
     * @param time milliseconds since 1970; one before that of an earlier call changes nothing
     * @return the results, by the windows' ends; windows without rows are not among them
     */
    List<PartialResult> close(long time);

    /** Copies the results of windows whose end has not come and that rows have been added to since the last such call. */
    List<PartialResult> early();

    /** How many windows are open. */
    int windows();

    /** How many groups all open windows have together in memory; of sliding windows, how many their panes have. */
    long groups();

    /** How many bytes of memory the state takes, without what every aggregator has; near enough to alarm on. */
    long bytes();

    /** Gives back what lies outside of the heap, and on disk. */
    @Override
    void close();
}
