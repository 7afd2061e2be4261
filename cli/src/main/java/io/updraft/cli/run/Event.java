package io.updraft.cli.run;

import io.updraft.engine.api.ErrorReport;

/** An event of a run. */
sealed interface Event {

    /** The program's {@code main} has returned, or the program has called {@code System.exit}. */
    record ProgramEnded() implements Event {}

    /** The program could not be run, or has thrown an exception. */
    record ProgramFailed(UserError error) implements Event {}

    /** The engine of the named topology has died. */
    record TopologyDied(String topology, ErrorReport report) implements Event {}

    /** The run is to stop, for a reason in a word or two. */
    record StopAsked(String why) implements Event {}

    /** The drain has ended; it is clean if all tuple trees were complete within the limit. */
    record Drained(boolean clean) implements Event {}
}
