package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Source;

/** An input of the tasks, from the task that reads the source. */
sealed interface Input {

    /**
     * An event of a unit.
     *
     * @param unit the unit
     * @param event the event
     * @param since the position up to which records of the unit had been sent to tasks before
     * @param dealt the position up to which records of the unit have been sent to tasks, including this event
     */
    record Happened(Unit unit, Source.Event event, long since, long dealt) implements Input {}

    /**
     * The end of the source: nothing more will come.
     *
     * @param whole whether the source has reached its end; false if the run was stopped before
     */
    record SourceEnded(boolean whole) implements Input {}
}
