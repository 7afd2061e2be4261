package io.updraft.cluster.supervised;

import io.updraft.base.thread.DaemonThreads;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the recurring duties of a worker. There is a thread for each duty: a duty may wait for ZooKeeper or Nimbus, and the
 * heartbeat must not wait for it. A duty that fails is logged and tried again. A lasting failure is logged once.
 */
final class DutyScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DutyScheduler.class);

    /** At least the number of duties. */
    private static final int THREADS = 13;

    private final ScheduledThreadPoolExecutor threads;
    private final Subject subject;
    private final Thread.UncaughtExceptionHandler onFatal;

    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /**
     * Creates the timers without duties. {@code onFatal} receives errors after which the process cannot go on, such as
     * OutOfMemoryError.
     */
    DutyScheduler(Subject subject, Thread.UncaughtExceptionHandler onFatal) {
        this.subject = subject;
        this.onFatal = onFatal;
        AtomicInteger number = new AtomicInteger();
        threads = new ScheduledThreadPoolExecutor(
                THREADS, job -> DaemonThreads.create("updraft-duty-" + number.incrementAndGet(), job));
        threads.setRemoveOnCancelPolicy(true);
    }

    /** Creates a duty; it is not scheduled yet. Its name is for messages, as in "could not ...". */
    Duty duty(String name, Action action) {
        return new Duty(name, action);
    }

    /** Stops the timers: interrupts the running duties and starts no further ones. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** A recurring action, run by one thread at a time. */
    final class Duty implements Runnable {
        private final String name;
        private final Action action;
        private boolean failing;

        private Duty(String name, Action action) {
            this.name = name;
            this.action = action;
        }

        /** Runs the duty now, and then repeatedly with this pause, in seconds. */
        void every(int seconds) {
            submit(() -> threads.scheduleWithFixedDelay(this, 0, seconds, TimeUnit.SECONDS));
        }

        void soon() {
            in(0);
        }

        /** Runs the duty once more, after a delay in seconds. */
        void in(int seconds) {
            submit(() -> threads.schedule(this, seconds, TimeUnit.SECONDS));
        }

        private void submit(Runnable submission) {
            try {
                submission.run();
            } catch (RejectedExecutionException closed) {
                LOG.debug("the worker ends: skipped a duty: {}", name, closed);
            }
        }

        @Override
        public synchronized void run() {
            try {
                Subject.doAs(subject, (PrivilegedExceptionAction<Void>) this::act);
                if (failing) {
                    LOG.info("can {} again", name);
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

        /** A refusal by the cluster is one line, without the stack. */
        private void warn(Throwable why) {
            Optional<String> refusal = ClusterRefusals.explain(why);
            if (refusal.isPresent()) {
                LOG.warn("could not {}; retrying: {}", name, refusal.get());
                LOG.debug("the refusal", why);
            } else {
                LOG.warn("could not {}; retrying", name, why);
            }
        }

        private void failed(Throwable why) {
            if (threads.isShutdown()) {
                LOG.debug("the worker ends: could not {}", name, why);
            } else if (failing) {
                LOG.debug("could not {}", name, why);
            } else {
                warn(why);
            }
            failing = true;
            if (why instanceof VirtualMachineError) {
                onFatal.uncaughtException(Thread.currentThread(), why);
            }
        }
    }
}
