package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Source;

/** What aggregate tasks are told by the task that reads a source. */
sealed interface Input {

    /**
     * Something has happened to a unit.
     *
     * @param unit which unit
     * @param event what
     * @param since the position up to which records of the unit had been given to tasks before
     * @param dealt the position up to which records of the unit have been given to tasks, this event's included
     */
    record Happened(Unit unit, Source.Event event, long since, long dealt) implements Input {}

    /**
     * Nothing more will come of the source.
     *
     * @param source which source, by its index in the plan
     * @param whole whether it has come to its end; false if the run is stopped before
     */
    record SourceEnded(int source, boolean whole) implements Input {}
}
