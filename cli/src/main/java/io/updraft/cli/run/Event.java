package io.updraft.cli.run;

import io.updraft.engine.api.ErrorReport;

/** What can happen to a run. */
sealed interface Event {

    /** The program's {@code main} is over. */
    record ProgramEnded() implements Event {}

    /**
     * The program could not be run, or threw.
     *
     * @param error what to tell
     */
    record ProgramFailed(UserError error) implements Event {}

    /**
     * An engine gave up.
     *
     * @param topology its topology's name
     * @param report why
     */
    record TopologyDied(String topology, ErrorReport report) implements Event {}

    /** Somebody wants the run to end. */
    record StopAsked() implements Event {}

    /** The topologies were drained or the drain's limit has come. */
    record Drained(boolean clean) implements Event {}
}
