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
        while (true) {
            try {
                attempt.run();
                return;
            } catch (SinkException e) {
                if (!e.isTransient()) {
                    throw e;
                }
                failed.run();
                LOG.warn("{} has failed, trying again in {} ms: {}", what, wait, e.getMessage());
                if (ending.await(wait, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
                wait = Math.min(LONGEST_MS, wait * 2);
            }
        }
    }
}
