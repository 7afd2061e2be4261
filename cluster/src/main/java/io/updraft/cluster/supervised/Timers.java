package io.updraft.cluster.supervised;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recurring duties of a worker. Each has a thread whenever it needs one: ZooKeeper or Nimbus may keep one waiting, and the
 * heartbeat must not wait for them. A duty that fails is logged and tried again; a failure that lasts is logged once.
 */
final class Timers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Timers.class);

    /** At least as many as there are duties. */
    private static final int THREADS = 10;

    private final ScheduledThreadPoolExecutor threads;

    /** What may fail. */
    @FunctionalInterface
    interface Duty {
        void run() throws Exception;
    }

    Timers() {
        AtomicInteger number = new AtomicInteger();
        threads = new ScheduledThreadPoolExecutor(THREADS, job -> {
            Thread thread = new Thread(job, "updraft-duty-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.setRemoveOnCancelPolicy(true);
    }

    /**
     * Does something now and again and again.
     *
     * @param what the duty, for people, as in "could not ..."
     * @param seconds the time between two
     */
    void every(String what, int seconds, Duty duty) {
        threads.scheduleWithFixedDelay(new Recurring(what, duty), 0, seconds, TimeUnit.SECONDS);
    }

    /** Does something once, soon. */
    void soon(String what, Duty duty) {
        if (!threads.isShutdown()) {
            threads.execute(new Recurring(what, duty));
        }
    }

    /** Begins nothing any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static final class Recurring implements Runnable {
        private final String what;
        private final Duty duty;
        private boolean failing;

        Recurring(String what, Duty duty) {
            this.what = what;
            this.duty = duty;
        }

        @Override
        public void run() {
            try {
                duty.run();
                if (failing) {
                    LOG.info("again able to {}", what);
                }
                failing = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception | LinkageError e) {
                if (failing) {
                    LOG.debug("could not {}", what, e);
                } else {
                    LOG.warn("could not {}; it is tried again", what, e);
                }
                failing = true;
            }
        }
    }
}
