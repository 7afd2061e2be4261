package io.updraft.pipeline.run;

import io.updraft.base.record.SourceEvent;

/** An input of the tasks, from the task that reads the source. */
sealed interface TaskInput {

    /**
     * An event of a partition.
     *
     * @param since the position up to which records of the partition had been sent to tasks before
     * @param sent the position up to which records of the partition have been sent to tasks, including this event
     */
    record OfPartition(Partition partition, SourceEvent event, long since, long sent) implements TaskInput {}

    /**
     * The end of the source: nothing more will come.
     *
     * @param whole whether the source has reached its end; false if the run was stopped before
     */
    record SourceEnded(boolean whole) implements TaskInput {}
}
