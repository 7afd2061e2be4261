package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.ProcessedRanges;
import java.util.ArrayDeque;

/**
 * The state of a partition in one aggregate task: its time, and the records in windows that are still open.
 *
 * <p>Records are kept as stretches of positions, each with the end of the latest window that contains a record of it or of an
 * earlier stretch. Positions can only be committed in order, so a stretch that would be done no later than the previous one is
 * merged into that one. So there are never more stretches than open windows, for any number of records.
 */
final class PartitionProgress {

    /** Positions from the end of the previous stretch on wait for windows up to {@code lastEnd}. */
    private record Stretch(long from, long lastEnd, long since) {}

    final Partition partition;
    final PartitionTimes.Place place = new PartitionTimes.Place();
    private final ArrayDeque<Stretch> open = new ArrayDeque<>();
    /** Whether windows accept rows after their results were written. */
    private final boolean acceptsLateRows;

    /** The stretches handled since the last report. */
    private final ProcessedRanges.Collector handled = new ProcessedRanges.Collector();
    /** The stretches handled since windows were last closed: results that were written lack them. Only with late rows. */
    private final ProcessedRanges.Collector unwritten = new ProcessedRanges.Collector();
    /** The stretches that results contain since the last report. */
    private ProcessedRanges written = ProcessedRanges.NONE;

    private long next;
    private long latest = Long.MIN_VALUE;
    private boolean idle;
    private boolean ended;
    private boolean changed;
    private long lastDone;
    /** Whether the partition is in the queue of those that wait for windows. */
    private boolean queued;

    PartitionProgress(Partition partition, long position, boolean acceptsLateRows) {
        this.partition = partition;
        this.next = position;
        this.lastDone = position;
        this.acceptsLateRows = acceptsLateRows;
    }

    /**
     * Records that records from a position on were handled, and that there are none between {@code since} and them. {@code
     * lastEnd} is the end of the latest window that accepted one, or MIN_VALUE.
     */
    void handled(long since, long from, long to, long lastEnd, long now) {
        changed = true;
        handled.add(since, to);
        if (acceptsLateRows) {
            unwritten.add(since, to);
        }
        if (lastEnd != Long.MIN_VALUE && (open.isEmpty() || open.peekLast().lastEnd < lastEnd)) {
            open.addLast(new Stretch(from, lastEnd, now));
        }
        next = Math.max(next, to);
    }

    /** Records that all records of the partition for this task before a position were handled. */
    void skipTo(long position) {
        changed |= position > next;
        next = Math.max(next, position);
    }

    /** Records that the results of all ended windows contain the rows before a position. */
    void written(long position) {
        changed = true;
        written = written.handled(unwritten.takeBefore(position).written());
    }

    /** Returns the stretches handled since the last call, and those that results contain since then. */
    ProcessedRanges takeHandled() {
        ProcessedRanges taken = handled.takeBefore(Long.MAX_VALUE).handled(written);
        written = ProcessedRanges.NONE;
        return taken;
    }

    /** Removes the stretches whose windows end at or before a time, since these accept no more records. */
    void forget(long until) {
        while (!open.isEmpty() && open.peekFirst().lastEnd <= until) {
            open.removeFirst();
            changed = true;
        }
    }

    /** Returns whether rows were handled that results may lack which were written. */
    boolean hasUnwritten() {
        return !unwritten.isEmpty();
    }

    /** Returns whether there is something to report since the last call. */
    boolean takeChanged() {
        boolean wasChanged = changed;
        changed = false;
        return wasChanged;
    }

    /** Returns whether the position that is done has advanced since the last call. */
    boolean takeAdvanced() {
        boolean advanced = done() != lastDone;
        lastDone = done();
        return advanced;
    }

    boolean isQueued() {
        return queued;
    }

    void queued(boolean isQueued) {
        queued = isQueued;
    }

    /** Returns the position before which no record of this task is in an open window. */
    long done() {
        return open.isEmpty() ? next : open.peekFirst().from;
    }

    /** Returns since when the first unfinished record has waited, in milliseconds since 1970; MAX_VALUE if all are done. */
    long waitingSince() {
        return open.isEmpty() ? Long.MAX_VALUE : open.peekFirst().since;
    }

    /** Returns the end of the window for which the first unfinished record waits. */
    long waitingFor() {
        return open.isEmpty() ? Long.MIN_VALUE : open.peekFirst().lastEnd;
    }

    void advanceTime(long time) {
        latest = Math.max(latest, time);
        idle = false;
    }

    /** Marks the partition as idle. This implies nothing about the time of later records. */
    void idle() {
        idle = true;
    }

    /** Advances the time: all records of the partition up to one of this time were handled, by this task or others. */
    void advanceTimeOfOthers(long time) {
        latest = Math.max(latest, time);
    }

    void end() {
        ended = true;
        changed = true;
    }

    /** Continues a partition that may have ended. */
    void reopen() {
        ended = false;
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns whether the partition has ended and is done, so that it may be forgotten once that was reported. */
    boolean isOver() {
        return ended && open.isEmpty() && partition.isOver(done());
    }

    /** Returns whether the partition holds windows open until its time has passed them. */
    boolean isActive() {
        return !idle && !ended;
    }

    /** Returns the latest time seen, in milliseconds since 1970; MIN_VALUE if none. */
    long latest() {
        return latest;
    }
}
