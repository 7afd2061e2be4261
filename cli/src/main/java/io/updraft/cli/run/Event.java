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

    /**
     * Somebody wants the run to end.
     *
     * @param why in a word or two
     */
    record StopAsked(String why) implements Event {}

    /**
     * The drain is over.
     *
     * @param clean whether nothing was left in flight at its limit
     */
    record Drained(boolean clean) implements Event {}
}
