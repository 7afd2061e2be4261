package io.updraft.stormcluster;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Outlives the test JVM for a moment: a process that kills what is left of the cluster, and removes its directory, when the
 * pipe to the test JVM breaks, which the kernel sees to even after kill -9.
 */
final class Reaper {

    private Reaper() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments the cluster's directory, and whether to keep it
     * @throws IOException when standard input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        Path home = Path.of(arguments[0]);
        boolean keep = Boolean.parseBoolean(arguments[1]);
        // In a hook, because Ctrl-C ends this process together with the test JVM.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> reap(home, keep), "reaper"));
        while (System.in.read() >= 0) {
            // Nothing is ever written; only the end counts.
        }
    }

    private static void reap(Path home, boolean keep) {
        new Mark(home).killAll();
        if (!keep) {
            Directories.delete(home);
        }
    }
}
