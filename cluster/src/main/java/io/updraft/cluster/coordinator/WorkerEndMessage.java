package io.updraft.cluster.coordinator;

import io.updraft.cluster.coordinator.WorkerStatus.State;
import io.updraft.cluster.process.ExitReason;
import io.updraft.cluster.process.ExitReason.LeftFiles;
import io.updraft.engine.api.ErrorReport;

/** Builds the line that says which worker has ended, why, and which component caused it. */
final class WorkerEndMessage {
    private WorkerEndMessage() {}

    static String describe(WorkerSlot slot, int exitCode, LeftFiles traces, String components) {
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
            return who + "could not start: it " + why + (said.isEmpty() ? "" : "; its first error line: " + said);
        }
        String guess = ExitReason.isUsers(exitCode) ? " (did a component call System.exit?)" : "";
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
