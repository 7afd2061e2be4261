package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that outlives the test JVM for a moment. When the pipe to the test JVM breaks, it kills the cluster's remaining
 * processes and removes the cluster's directory. The kernel breaks the pipe even after kill -9.
 */
final class Reaper {

    private Reaper() {}

    /**
     * Starts a reaper.
     *
     * @param home the cluster's directory
     * @param keep whether to keep the directory
     * @return the pipe, to be closed by the caller
     */
    static Pipe start(Path home, boolean keep) {
        List<String> command = List.of(
                Path.of(Jvm.javaHome(), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                Jars.of(Reaper.class).toString(),
                Reaper.class.getName(),
                home.toString(),
                Boolean.toString(keep));
        try {
            return new Pipe(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the reaper", e);
        }
    }

    /**
     * The pipe to the reaper, which waits while the pipe is open.
     *
     * @param process the reaper's process
     */
    record Pipe(Process process) implements AutoCloseable {

        private static final long REAPING_SECONDS = 60;

        /** Returns when the reaper has finished. */
        @Override
        public void close() {
            try {
                process.getOutputStream().close();
                if (!process.waitFor(REAPING_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot end the reaper", e);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments the cluster's directory, and whether to keep it
     * @throws IOException when standard input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        Path home = Path.of(arguments[0]);
        boolean keep = Boolean.parseBoolean(arguments[1]);
        // The shutdown hook is needed because Ctrl-C ends this process together with the test JVM.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> reap(home, keep), "reaper"));
        while (System.in.read() >= 0) {
            // No byte is ever written; only the end of the stream counts.
        }
    }

    private static void reap(Path home, boolean keep) {
        new Mark(home).killAll();
        if (!keep) {
            Directories.delete(home);
        }
    }
}
