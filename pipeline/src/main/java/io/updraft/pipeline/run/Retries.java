package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.SinkException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries again what has failed and may pass, at longer and longer intervals, until the run ends. Sources are held back meanwhile. */
final class Retries {

    private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
    private static final long FIRST_MS = 100;
    private static final long LONGEST_MS = 10_000;
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Something that may fail for a while. */
    interface Attempt {
        /** Does it. */
        void run() throws SinkException;
    }

    private final CountDownLatch ending;
    private final long firstMs;
    private final Runnable failed;

    /**
     * Retries.
     *
     * @param ending nothing is tried again once this has come down
     * @param failed called after each failure that may pass
     */
    Retries(CountDownLatch ending, Runnable failed) {
        this(ending, FIRST_MS, failed);
    }

    /** Retries; the first after so many milliseconds. */
    Retries(CountDownLatch ending, long firstMs, Runnable failed) {
        this.ending = ending;
        this.firstMs = firstMs;
        this.failed = failed;
    }

    void run(Attempt attempt, String what) throws SinkException, InterruptedException {
        long wait = firstMs;
        long since = System.nanoTime();
        long told = 0;
        String reason = null;
        while (true) {
            try {
                attempt.run();
                if (reason != null) {
                    LOG.warn("{} works again, after {} s", what, secondsSince(since));
                }
                return;
            } catch (SinkException e) {
                if (!e.isTransient()) {
                    throw e;
                }
                failed.run();
                if (!e.getMessage().equals(reason) || System.nanoTime() - told > TELL_AGAIN_NANOS) {
                    LOG.warn("{} fails since {} s, trying again: {}", what, secondsSince(since), e.getMessage());
                    reason = e.getMessage();
                    told = System.nanoTime();
                }
                if (ending.await(wait, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
                wait = Math.min(LONGEST_MS, wait * 2);
            }
        }
    }

    private static long secondsSince(long nanoTime) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanoTime);
    }
}
