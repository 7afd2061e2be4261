package io.updraft.cluster.supervised;

import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.Subject;
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
    private final Subject subject;
    private final Thread.UncaughtExceptionHandler onFatal;

    /** What may fail. */
    @FunctionalInterface
    interface Duty {
        void run() throws Exception;
    }

    /**
     * Creates none yet.
     *
     * @param subject who the duties act as
     * @param onFatal hears of what no duty survives
     */
    Timers(Subject subject, Thread.UncaughtExceptionHandler onFatal) {
        this.subject = subject;
        this.onFatal = onFatal;
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
        submit(() -> threads.scheduleWithFixedDelay(new Recurring(what, duty), 0, seconds, TimeUnit.SECONDS));
    }

    /** Does something once, soon. */
    void soon(String what, Duty duty) {
        in(what, 0, duty);
    }

    /** Does something once, some seconds later. */
    void in(String what, int seconds, Duty duty) {
        submit(() -> threads.schedule(new Recurring(what, duty), seconds, TimeUnit.SECONDS));
    }

    private void submit(Runnable submission) {
        try {
            submission.run();
        } catch (RejectedExecutionException closed) {
            LOG.debug("the worker ends: it has no more duties", closed);
        }
    }

    /** Begins nothing any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private final class Recurring implements Runnable {
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
                Subject.doAs(subject, (PrivilegedExceptionAction<Void>) this::runDuty);
                if (failing) {
                    LOG.info("again able to {}", what);
                }
                failing = false;
            } catch (PrivilegedActionException e) {
                failed(e.getException());
            } catch (Throwable e) {
                failed(e);
            }
        }

        private Void runDuty() throws Exception {
            duty.run();
            return null;
        }

        private void failed(Throwable why) {
            if (threads.isShutdown()) {
                LOG.debug("the worker ends: it did not {}", what, why);
            } else if (failing) {
                LOG.debug("could not {}", what, why);
            } else {
                LOG.warn("could not {}; it is tried again", what, why);
            }
            failing = true;
            if (why instanceof VirtualMachineError) {
                onFatal.uncaughtException(Thread.currentThread(), why);
            }
        }
    }
}
