package io.updraft.cli.run;

import io.updraft.engine.ErrorReport;
import io.updraft.storm.JarRunException;

/** Words for what went wrong with a program. */
final class JarErrors {
    private JarErrors() {}

    static UserError toUserError(JarRunException e) {
        int exitCode = e.kind() == JarRunException.Kind.PROGRAM_FAILED ? ExitCode.FAILED : ExitCode.USAGE;
        return new UserError(exitCode, e.getMessage(), e);
    }

    static UserError ofDeath(Event.TopologyDied died) {
        ErrorReport report = died.report();
        return new UserError(
                ExitCode.FAILED,
                "topology '" + died.topology() + "' died: " + report.componentId() + "[" + report.taskId() + "] "
                        + report.during() + ": " + report.error() + " (" + report.consequence() + ")",
                report.error());
    }
}
