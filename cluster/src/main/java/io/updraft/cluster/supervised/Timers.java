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
    private static final int THREADS = 12;

    private final ScheduledThreadPoolExecutor threads;
    private final Subject subject;
    private final Thread.UncaughtExceptionHandler onFatal;

    /** What may fail. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /**
     * Creates no duties yet.
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
     * Makes a duty, which nobody does yet.
     *
     * @param what the duty, for people, as in "could not ..."
     * @param action what is done
     */
    Duty duty(String what, Action action) {
        return new Duty(what, action);
    }

    /** Begins nothing any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Something to be done, by one thread at a time. */
    final class Duty implements Runnable {
        private final String what;
        private final Action action;
        private boolean failing;

        private Duty(String what, Action action) {
            this.what = what;
            this.action = action;
        }

        /** Does it now and again and again, with so many seconds in between. */
        void every(int seconds) {
            submit(() -> threads.scheduleWithFixedDelay(this, 0, seconds, TimeUnit.SECONDS));
        }

        /** Does it once more, soon. */
        void soon() {
            in(0);
        }

        /** Does it once more, some seconds later. */
        void in(int seconds) {
            submit(() -> threads.schedule(this, seconds, TimeUnit.SECONDS));
        }

        private void submit(Runnable submission) {
            try {
                submission.run();
            } catch (RejectedExecutionException closed) {
                LOG.debug("the worker ends: it does not {}", what, closed);
            }
        }

        @Override
        public synchronized void run() {
            try {
                Subject.doAs(subject, (PrivilegedExceptionAction<Void>) this::act);
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

        private Void act() throws Exception {
            action.run();
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
