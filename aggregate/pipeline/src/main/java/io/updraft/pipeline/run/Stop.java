package io.updraft.pipeline.run;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The request to end a run, and its effect on threads that wait for other systems. A wait that has failed before ends at once.
 * Any other wait ends after {@link #PATIENCE} without progress. Any thread may call the methods.
 */
final class Stop {

    /** How long a write may be without progress once the stop was requested. Service managers give a process more time. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger(Stop.class);
    private static final long LOOK_MILLIS = 200;

    /** A wait without progress is logged after this time, and each time that its length has doubled. */
    private static final Duration WORTH_A_WORD = Duration.ofSeconds(15);

    /**
     * How long a thread may take to end its wait after an interrupt: waits for pipes and some sockets cannot be interrupted.
     */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(12);

    private final CountDownLatch requested = new CountDownLatch(1);
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private final Duration patience;
    private final Duration afterInterrupt;

    Stop() {
        this(PATIENCE);
    }

    /** Creates a stop with a limit for waits without progress. */
    Stop(Duration patience) {
        this(patience, AFTER_INTERRUPT);
    }

    /** Creates a stop with limits for waits without progress and for threads after an interrupt. */
    Stop(Duration patience, Duration afterInterrupt) {
        this.patience = patience;
        this.afterInterrupt = afterInterrupt;
    }

    /** Requests the end: nothing more is read or retried. Idempotent. */
    void request() {
        requested.countDown();
        waits.forEach(Wait::look);
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits for the request; returns false if it has not come within {@code millis} milliseconds. */
    boolean await(long millis) throws InterruptedException {
        return requested.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Begins an operation of the calling thread that may have to wait. The thread closes the result.
     *
     * @param what the name of the operation as the subject of a sentence
     * @param limit how long the operation may go on without success; null for no limit
     */
    Wait begin(String what, Duration limit) {
        Wait wait = new Wait(what, Thread.currentThread(), limit);
        waits.add(wait);
        return wait;
    }

    /**
     * Interrupts overdue waits until this thread is interrupted itself. Runs on a thread of its own.
     *
     * @param stuck receives one line for each wait that an interrupt does not end
     */
    void watch(Consumer<String> stuck) {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                for (Wait wait : waits) {
                    wait.look();
                    if (wait.isLeftBehind()) {
                        waits.remove(wait);
                        stuck.accept(wait.what + " makes no progress and cannot be interrupted");
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An operation of one thread that may have to wait for other systems. */
    final class Wait implements AutoCloseable {

        private final String what;
        private final Thread thread;
        private final Duration limit;
        private final long since = System.nanoTime();

        // Guarded by this.
        private long progressAt = since;
        private boolean failing;
        private boolean ended;
        private boolean interrupted;
        private int told;
        private long interruptedAt;

        private Wait(String what, Thread thread, Duration limit) {
            this.what = what;
            this.thread = thread;
            this.limit = limit;
        }

        /** Records progress. A failing operation makes progress only when it succeeds. */
        synchronized void progress() {
            progressAt = System.nanoTime();
            told = 0;
        }

        /** Records a failed attempt; more may follow. */
        synchronized void failed() {
            failing = true;
        }

        /** Returns how long the operation has been failing, or without progress. */
        synchronized Duration length() {
            return Duration.ofNanos(System.nanoTime() - (failing ? since : progressAt));
        }

        /** Returns whether the operation has reached its limit. */
        boolean isOver() {
            return limit != null && length().compareTo(limit) >= 0;
        }

        /** Returns how long the thread may sleep before the limit is reached, at most {@code millis} milliseconds. */
        long upTo(long millis) {
            return limit == null
                    ? millis
                    : Math.max(1, Math.min(millis, limit.minus(length()).toMillis()));
        }

        /** Returns whether the wait was interrupted. */
        synchronized boolean wasInterrupted() {
            return interrupted;
        }

        private synchronized void look() {
            boolean stopped = isRequested() && (failing || length().compareTo(patience) >= 0);
            if (!failing && !ended && length().compareTo(WORTH_A_WORD.multipliedBy(1L << told)) >= 0) {
                told++;
                LOG.warn("{} has made no progress for {} s", what, length().toSeconds());
            }
            if (!ended && !interrupted && (stopped || isOver())) {
                interrupted = true;
                interruptedAt = System.nanoTime();
                thread.interrupt();
            }
        }

        private synchronized boolean isLeftBehind() {
            return interrupted && !ended && System.nanoTime() - interruptedAt > afterInterrupt.toNanos();
        }

        /** Ends the wait; clears an interrupt that was meant for it. */
        @Override
        public void close() {
            waits.remove(this);
            synchronized (this) {
                ended = true;
                if (interrupted) {
                    Thread.interrupted();
                }
            }
        }
    }
}
