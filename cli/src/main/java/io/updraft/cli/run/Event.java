package io.updraft.cli.run;

import io.updraft.engine.api.ErrorReport;

/** An event of a run. */
sealed interface Event {

    /** The program's {@code main} has returned, or the program has called {@code System.exit}. */
    record ProgramEnded() implements Event {}

    /**
     * The program could not be run, or has thrown an exception.
     *
     * @param error the error for the user
     */
    record ProgramFailed(UserError error) implements Event {}

    /**
     * A topology's engine has died.
     *
     * @param topology the topology's name
     * @param report the cause
     */
    record TopologyDied(String topology, ErrorReport report) implements Event {}

    /**
     * The run is to stop.
     *
     * @param why the reason, in a word or two
     */
    record StopAsked(String why) implements Event {}

    /**
     * The drain has ended.
     *
     * @param clean whether all tuple trees were complete within the limit
     */
    record Drained(boolean clean) implements Event {}
}
