package io.updraft.cli.run;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.engine.api.LinkageMessages;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.death.DeathRecord;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.StateDirectory;
import io.updraft.storm.JarRunException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/** Turns the failure of a program or topology into an error for the user. */
final class RunErrors {
    private RunErrors() {}

    static UserError toUserError(JarRunException e) {
        int exitCode = e.kind() == JarRunException.Kind.PROGRAM_FAILED ? ExitCode.FAILED : ExitCode.USAGE;
        return new UserError(exitCode, e.getMessage() + remedy(e), e);
    }

    private static String remedy(JarRunException e) {
        return switch (e.kind()) {
            case NO_SUCH_JAR -> " (the current directory is " + Path.of("").toAbsolutePath() + ")";
            case NOT_A_JAR -> "; name the jar of a program that submits a topology";
            case NO_SUCH_CLASS -> e.getMessage().contains("did you mean") ? "" : "; name it with its package";
            case NO_MAIN -> "; name the class that has one";
            default -> "";
        };
    }

    static UserError ofDeath(String topology, ErrorReport report) {
        return new UserError(
                ExitCode.FAILED,
                "topology '" + topology + "' died: " + report.where() + " " + report.during() + ": "
                        + LinkageMessages.of(report.error()).orElseGet(() -> "" + report.error()) + " ("
                        + report.consequence()
                        + heapDump(report.error()) + ")",
                report.error());
    }

    /** Leaves a record of a run whose topology or pipeline has failed, for those who look later. */
    static void record(String command, String program, UserError failure) {
        RunDescription run = RunDescription.ofThisProcess(command, program, LogFile.path());
        String line = command + " of " + program + " (pid " + run.pid() + "): " + failure.getMessage();
        try {
            new DeathRecord(command + "-" + program, run.pid(), run.processStartMillis(), line, null, run.log())
                    .writeTo(DeathDirectory.in(StateDirectory.path()));
        } catch (IOException e) {
            LoggerFactory.getLogger(RunErrors.class).warn("cannot record the end of the run: {}", e.toString());
        }
    }

    /** Returns the directory of the heap dump, as words; empty unless the error is out of memory and the JVM writes dumps. */
    static String heapDump(Throwable error) {
        if (!(error instanceof OutOfMemoryError)) {
            return "";
        }
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        boolean dumps = Boolean.parseBoolean(
                jvm.getVMOption("HeapDumpOnOutOfMemoryError").getValue());
        return dumps ? "; heap dump in " + jvm.getVMOption("HeapDumpPath").getValue() : "";
    }
}
