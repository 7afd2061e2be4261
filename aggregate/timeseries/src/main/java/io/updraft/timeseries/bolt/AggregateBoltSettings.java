package io.updraft.timeseries.bolt;

import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.query.Query;
import java.io.Serializable;
import java.nio.file.Path;

/**
 * The settings of an {@link AggregateBolt}. Serialized to the workers with it.
 *
 * @param timeField the field that has a record's time; null for processing time
 * @param disorder milliseconds by which records may arrive out of order
 * @param early milliseconds between early results; 0 for none
 * @param idle milliseconds without a tuple after which all windows are closed; 0 for never
 * @param late whether late records are emitted on a stream of their own
 * @param ackAtOnce whether tuples are acked as soon as they were added
 * @param maxGroups the limit of groups
 * @param maxBytes the limit of bytes; 0 for half of the heap
 * @param spill the directory for spilling; null for none
 */
record AggregateBoltSettings(
        Query query,
        String timeField,
        long disorder,
        long early,
        long idle,
        boolean late,
        boolean ackAtOnce,
        long maxGroups,
        long maxBytes,
        String spill)
        implements Serializable {

    /** Returns the limits of one task. Each task spills into a directory of its own. */
    AggregatorOptions options(String task) {
        long bytes = maxBytes == 0 ? AggregatorOptions.inMemory().maxBytes() : maxBytes;
        return new AggregatorOptions(maxGroups, bytes, spill == null ? null : Path.of(spill, task));
    }
}
