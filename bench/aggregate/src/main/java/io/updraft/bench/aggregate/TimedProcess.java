package io.updraft.bench.aggregate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that has run to its end.
 *
 * @param status the exit status
 * @param wallNanos nanoseconds from the start of the process to its exit
 * @param cpuNanos user and system CPU time of the process and its children
 * @param output the lines of its output, standard error included
 */
record TimedProcess(int status, long wallNanos, long cpuNanos, List<String> output) {

    private static final long LIMIT_MINUTES = 60;
    /** The shell's {@code times} prints its own CPU time, and in the next line that of its children, user and system. */
    private static final String SCRIPT = "\"$@\" >\"$0\" 2>&1; status=$?; times; exit $status";

    private static final Pattern TIME = Pattern.compile("([0-9]+)m([0-9.]+)s");

    /**
     * Runs a command, and waits for its end.
     *
     * @param environment what to add to this process's environment
     * @param log the file for the output
     * @throws IOException when the command does not end in an hour and is killed
     */
    static TimedProcess run(List<String> command, Map<String, String> environment, Path log)
            throws IOException, InterruptedException {
        List<String> timed = new ArrayList<>(List.of("sh", "-c", SCRIPT, log.toString()));
        timed.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(timed).redirectErrorStream(true);
        builder.environment().putAll(environment);
        long began = System.nanoTime();
        Process process = builder.start();
        Thread hook = new Thread(() -> kill(process));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            long wall = System.nanoTime() - began;
            if (!ended) {
                throw new IOException("the process did not end in " + LIMIT_MINUTES + " minutes");
            }
            String times = new String(process.getInputStream().readAllBytes());
            return new TimedProcess(process.exitValue(), wall, childrenCpu(times), Files.readAllLines(log));
        } finally {
            kill(process);
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static long childrenCpu(String times) {
        Matcher each = TIME.matcher(times.substring(times.indexOf('\n') + 1));
        double seconds = 0;
        while (each.find()) {
            seconds += Integer.parseInt(each.group(1)) * 60 + Double.parseDouble(each.group(2));
        }
        return (long) (seconds * 1e9);
    }
}
