package io.updraft.pipeline.unit;

import io.updraft.pipeline.connector.RecordSource;

/** An input of the tasks, from the task that reads the source. */
public sealed interface TaskInput {

    /**
     * An event of a unit.
     *
     * @param since the position up to which records of the unit had been sent to tasks before
     * @param sent the position up to which records of the unit have been sent to tasks, including this event
     */
    record OfUnit(Unit unit, RecordSource.Event event, long since, long sent) implements TaskInput {}

    /**
     * The end of the source: nothing more will come.
     *
     * @param whole whether the source has reached its end; false if the run was stopped before
     */
    record SourceEnded(boolean whole) implements TaskInput {}
}
