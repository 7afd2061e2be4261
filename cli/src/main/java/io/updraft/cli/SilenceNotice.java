package io.updraft.cli;

import io.updraft.base.thread.DaemonThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says on standard error that a process has not answered yet, so that no command waits in silence. */
final class SilenceNotice implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 3;

    /** What may take longer, such as a profile or a dump, is expected to be silent. */
    private static final long QUICK_SECONDS = 60;

    private final CountDownLatch answered = new CountDownLatch(1);

    /**
     * Waits for the answer of a process.
     *
     * @param limit how long the command waits for it
     */
    SilenceNotice(long pid, Duration limit) {
        if (limit.toSeconds() > PATIENCE_SECONDS && limit.toSeconds() <= QUICK_SECONDS) {
            DaemonThreads.start("updraft-notice", () -> await(pid, limit));
        }
    }

    private void await(long pid, Duration limit) {
        try {
            if (!answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("updraft: process " + pid + " has not answered for " + PATIENCE_SECONDS + " s"
                        + (isStopped(pid) ? ", it is stopped (SIGSTOP)" : "") + "; waiting for at most "
                        + limit.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether Linux says so; elsewhere that is not known. */
    private static boolean isStopped(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/status")).contains("State:\tT");
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        answered.countDown();
    }
}
