package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.SinkException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries passing failures at growing intervals, until the run ends or gives up. Back-pressure holds the sources.
 *
 * @param stop nothing is retried once this was requested
 * @param giveUp how long to retry before failing; null for no limit
 * @param firstMs the first pause in milliseconds
 * @param failed called after each passing failure
 */
record SinkRetries(StopRequest stop, Duration giveUp, long firstMs, Runnable failed) {

    private static final Logger LOG = LoggerFactory.getLogger(SinkRetries.class);
    public static final long FIRST_PAUSE_MS = 100;
    private static final long MAX_PAUSE_MS = 10_000;
    private static final long WARNING_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** An operation that may fail for a while. */
    public interface Attempt {
        /** Runs the operation, and reports its progress to {@code wait}. */
        void run(StopRequest.WatchedWait wait) throws SinkException;
    }

    /**
     * Runs an operation, repeatedly until it succeeds.
     *
     * @param action the name of the operation as the subject of a sentence, such as {@code Writing to topic totals}
     * @throws SinkException when the operation cannot succeed, or has not succeeded when the run was stopped or the limit was
     *     reached
     */
    public void run(Attempt attempt, String action) throws SinkException, InterruptedException {
        try (StopRequest.WatchedWait wait = stop.begin(action, giveUp)) {
            new Trial(attempt, action, wait).run();
        }
    }

    private final class Trial {
        private final Attempt attempt;
        private final String action;
        private final StopRequest.WatchedWait wait;
        private long pause = firstMs;
        private long lastWarning;
        private SinkException last;

        private Trial(Attempt attempt, String action, StopRequest.WatchedWait wait) {
            this.attempt = attempt;
            this.action = action;
            this.wait = wait;
        }

        private void run() throws SinkException, InterruptedException {
            while (!isDone()) {
                try {
                    if (stop.await(wait.pauseUpTo(pause))) {
                        throw last;
                    }
                } catch (InterruptedException e) {
                    throwIfEnded(e);
                    throw e;
                }
                pause = Math.min(MAX_PAUSE_MS, pause * 2);
            }
        }

        private boolean isDone() throws SinkException {
            try {
                attempt.run(wait);
                if (last != null) {
                    LOG.warn("{} works again, after {} s", action, wait.length().toSeconds());
                }
                return true;
            } catch (SinkException e) {
                if (!e.isTransient() && !wait.wasInterrupted()) {
                    throw e;
                }
                fail(e);
                return false;
            } catch (RuntimeException e) {
                throwIfEnded(e);
                throw e;
            }
        }

        /** Handles a failed attempt. The failure of an interrupted attempt does not show why it had to wait. */
        private void fail(SinkException e) throws SinkException {
            boolean isNew = last == null || !e.getMessage().equals(last.getMessage());
            if (!wait.wasInterrupted()) {
                last = e;
            }
            failed.run();
            wait.failed(e.getMessage());
            throwIfEnded(e);
            if (isNew || System.nanoTime() - lastWarning > WARNING_INTERVAL_NANOS) {
                lastWarning = System.nanoTime();
                LOG.warn(
                        "{} has failed for {} s; retrying: {}",
                        action,
                        wait.length().toSeconds(),
                        e.getMessage());
            }
        }

        private void throwIfEnded(Exception cause) throws SinkException {
            boolean over = wait.isOver();
            if (over || wait.wasInterrupted()) {
                String reason = last == null
                        ? action + " makes no progress"
                        : last.getMessage().replaceAll("\\.$", "");
                throw SinkException.lasting(
                        reason + ", for " + wait.length().toSeconds() + " s"
                                + (over ? "; the limit 'give_up' is reached" : ""),
                        cause);
            }
        }
    }
}
