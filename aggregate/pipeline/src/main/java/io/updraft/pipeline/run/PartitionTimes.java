package io.updraft.pipeline.run;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * The times of the partitions in order, so that a watermark costs as much with many partitions as with few. The shareWindows places
 * a partition again whenever its state may have changed. Not thread-safe.
 */
final class PartitionTimes {

    /** Where a partition was placed last. */
    static final class Place {
        private long order = -1;
        private long time;
        private TreeSet<Place> among;
    }

    private static final Comparator<Place> BY_TIME =
            Comparator.<Place>comparingLong(place -> place.time).thenComparingLong(place -> place.order);

    private final TreeSet<Place> active = new TreeSet<>(BY_TIME);
    private final TreeSet<Place> idle = new TreeSet<>(BY_TIME);
    private long latestEnded = Long.MIN_VALUE;
    private long placed;

    void place(PartitionProgress partition) {
        Place place = partition.place;
        TreeSet<Place> among = partition.isEnded() ? null : partition.isActive() ? active : idle;
        if (among == place.among && partition.latest() == place.time && place.order >= 0) {
            return;
        }
        if (place.among != null) {
            place.among.remove(place);
        }
        place.order = place.order < 0 ? placed++ : place.order;
        place.time = partition.latest();
        place.among = among;
        if (among == null) {
            latestEnded = Math.max(latestEnded, place.time);
        } else {
            among.add(place);
        }
    }

    boolean hasActive() {
        return !active.isEmpty();
    }

    boolean haveAllEnded() {
        return active.isEmpty() && idle.isEmpty();
    }

    /** Returns the earliest time of the active partitions, at least one. */
    long earliestActive() {
        return active.first().time;
    }

    /** Returns the latest time of the idle partitions, at least one. */
    long latestIdle() {
        return idle.last().time;
    }

    /** Returns the latest time of all partitions that have ended; {@link Long#MIN_VALUE} if there is none. */
    long latestEnded() {
        return latestEnded;
    }

    /** Advances the partitions that have ended to the time of the clock, if they had a time. */
    void advanceEnded(long time) {
        if (latestEnded != Long.MIN_VALUE) {
            latestEnded = time;
        }
    }
}
