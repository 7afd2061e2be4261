package io.updraft.cluster.local;

import io.updraft.cluster.local.WorkerSlot.State;
import io.updraft.engine.api.ErrorReport;

/** Says on one line which worker has ended, what of, and whose it was. */
final class DeathNotice {
    private DeathNotice() {}

    /**
     * Puts it into words.
     *
     * @param slot the worker, still in the state in which it ended
     * @param exitCode as the JDK gives it
     * @param components what it ran, for people
     */
    static String of(WorkerSlot slot, int exitCode, String components) {
        String who = "worker " + slot.worker + " (pid " + slot.process.pid() + ") ";
        if (slot.startFailure != null) {
            return who + "could not start: " + slot.startFailure;
        }
        String why = ExitReason.of(exitCode, slot.command.heapDumpOf(slot.process.pid(), slot.startedMillis));
        if (slot.outOfMemory != null) {
            ErrorReport report = slot.outOfMemory;
            return who + why + " in component '" + report.componentId() + "', task " + report.taskId() + ", "
                    + report.during() + ": " + report.error().getMessage();
        }
        if (slot.state == State.STARTING) {
            String said = slot.process.complaint();
            return who + "could not start: it " + why + (said.isEmpty() ? "" : "; it said: " + said);
        }
        return who + why + "; it ran " + components;
    }
}
