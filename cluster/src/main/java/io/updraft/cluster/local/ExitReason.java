package io.updraft.cluster.local;

import java.nio.file.Path;
import java.util.Map;

/** Describes why a process has ended. */
final class ExitReason {
    private static final int FIRST_SIGNAL = 128;

    /** Linux has no more signals. Higher exit codes are a program's own: 255, for example, is System.exit(-1). */
    private static final int MAX_SIGNAL = 64;

    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"));

    private ExitReason() {}

    /**
     * Describes an exit.
     *
     * @param exitCode the exit code as the JDK reports it: for a signal, 128 plus its number
     * @param traces the files that the process left behind
     * @return the description, after which a text can follow
     */
    public static String of(int exitCode, LeftFiles traces) {
        if (exitCode == WorkerExitCode.OUT_OF_MEMORY) {
            return "ran out of memory (" + traces.heap() + ")";
        }
        String before = traces.heapDump() == null ? "" : "; it had run out of memory before (" + traces.heap() + ")";
        return endOf(exitCode) + details(exitCode, traces.crashReport()) + before;
    }

    /**
     * Describes an exit in a few words.
     *
     * @param exitCode the exit code as the JDK reports it
     */
    public static String brief(int exitCode) {
        if (exitCode == WorkerExitCode.OUT_OF_MEMORY) {
            return "out of memory";
        }
        return isSignal(exitCode) ? "killed by " + nameOf(exitCode - FIRST_SIGNAL) : "exit code " + exitCode;
    }

    private static String endOf(int exitCode) {
        if (isSignal(exitCode)) {
            int signal = exitCode - FIRST_SIGNAL;
            return "was killed by signal " + signal + " (" + nameOf(signal) + ", exit code " + exitCode + ")";
        }
        return exitCode == WorkerExitCode.LINK_FAILED
                ? "lost its link to the other workers; its log has the reason"
                : "exited with code " + exitCode;
    }

    private static String details(int exitCode, Path crashReport) {
        if (crashReport != null) {
            return ", the JVM crashed (report: " + crashReport + ")";
        }
        if (exitCode == FIRST_SIGNAL + 9) {
            return ", by a user or by the kernel because memory ran out (see 'dmesg')";
        }
        return "";
    }

    /**
     * Returns whether a running worker exits with this code only if code of the topology calls for an exit.
     *
     * @param exitCode the exit code as the JDK reports it
     * @return whether the topology called for the exit
     */
    public static boolean isUsers(int exitCode) {
        return !isSignal(exitCode) && (exitCode < WorkerExitCode.NOT_STARTED || exitCode > WorkerExitCode.LINK_FAILED);
    }

    private static boolean isSignal(int exitCode) {
        return exitCode > FIRST_SIGNAL && exitCode <= FIRST_SIGNAL + MAX_SIGNAL;
    }

    private static String nameOf(int signal) {
        return SIGNALS.getOrDefault(signal, "see kill -l");
    }

    /**
     * The files that a process left behind.
     *
     * @param heapDump the heap dump, or null
     * @param dumpTrouble why there is no heap dump, or only a part of it; or an empty string
     * @param crashReport the JVM's report of its own crash, or null
     */
    public record LeftFiles(Path heapDump, String dumpTrouble, Path crashReport) {
        private String heap() {
            String trouble = dumpTrouble.isEmpty() ? "" : "; " + dumpTrouble;
            return (heapDump == null ? "no heap dump" : "heap dump: " + heapDump) + trouble;
        }
    }
}
