package io.updraft.cluster.local;

import io.updraft.cluster.local.ExitReason.Traces;
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
     * @param traces what it left behind
     * @param components what it ran, for people
     */
    static String of(WorkerSlot slot, int exitCode, Traces traces, String components) {
        String who = "worker " + slot.worker + " (pid " + slot.process.pid() + ") ";
        if (slot.startFailure != null) {
            return who + "could not start: " + slot.startFailure;
        }
        String why = ExitReason.of(exitCode, traces);
        if (slot.endedBy != null) {
            return who + why + where(slot.endedBy, components);
        }
        if (slot.state == State.STARTING) {
            String said = slot.process.complaint();
            return who + "could not start: it " + why + (said.isEmpty() ? "" : "; it said: " + said);
        }
        String guess = ExitReason.isUsers(exitCode) ? " (did something in it call System.exit?)" : "";
        return who + why + guess + "; it ran " + components;
    }

    private static String task(ErrorReport report) {
        return report.taskId() == ErrorReport.NO_TASK ? "" : "task " + report.taskId() + ", ";
    }

    private static String where(ErrorReport report, String components) {
        String what = ": " + report.error().getMessage();
        return report.componentId() == null
                ? " in " + report.during() + what + "; it ran " + components
                : " in component '" + report.componentId() + "', " + task(report) + report.during() + what;
    }
}
