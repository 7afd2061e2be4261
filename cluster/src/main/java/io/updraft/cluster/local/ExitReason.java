package io.updraft.cluster.local;

import java.nio.file.Path;
import java.util.Map;

/** Says in words why a process has ended. */
final class ExitReason {
    private static final int FIRST_SIGNAL = 128;
    private static final int KILL = 9;

    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(6, "SIGABRT, the JVM crashed"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(KILL, "SIGKILL, by somebody or by the kernel for want of memory"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"));

    private ExitReason() {}

    /**
     * Explains an exit.
     *
     * @param exitCode as the JDK gives it: for a signal 128 and its number
     * @param heapDump the heap that the process left behind, or null
     */
    static String of(int exitCode, Path heapDump) {
        if (exitCode == WorkerExit.OUT_OF_MEMORY) {
            return "ran out of memory (" + (heapDump == null ? "no heap dump" : "heap dump: " + heapDump) + ")";
        }
        String before = heapDump == null ? "" : "; it had run out of memory before (heap dump: " + heapDump + ")";
        return endOf(exitCode) + before;
    }

    private static String endOf(int exitCode) {
        if (exitCode > FIRST_SIGNAL && exitCode < 2 * FIRST_SIGNAL) {
            int signal = exitCode - FIRST_SIGNAL;
            return "was killed by signal " + signal + " (" + SIGNALS.getOrDefault(signal, "see kill -l")
                    + ", exit code " + exitCode + ")";
        }
        return "exited with code " + exitCode;
    }
}
