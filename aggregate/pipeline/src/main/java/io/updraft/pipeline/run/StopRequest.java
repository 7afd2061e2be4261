package io.updraft.pipeline.run;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The request to end a run, and its effect on threads that wait for other systems. A wait that has failed before ends at once.
 * Any other wait ends after {@link #MAX_WITHOUT_PROGRESS} without progress. Any thread may call the methods.
 */
final class StopRequest {

    /** How long a write may be without progress once the stop was requested. Service managers give a process more time. */
    public static final Duration MAX_WITHOUT_PROGRESS = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);
    private static final long CHECK_MILLIS = 200;

    /** A wait without progress is a trouble from this time on. */
    private static final Duration SHOWN_FROM = Duration.ofSeconds(5);

    /** A wait without progress is logged after this time, and each time that its length has doubled. */
    private static final Duration FIRST_WARNING = Duration.ofSeconds(15);

    /**
     * How long a thread may take to end its wait after an interrupt: waits for pipes and some sockets cannot be interrupted.
     */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(12);

    private final CountDownLatch requested = new CountDownLatch(1);
    private final Set<WatchedWait> waits = ConcurrentHashMap.newKeySet();
    private final Duration maxWithoutProgress;
    private final Duration afterInterrupt;

    public StopRequest() {
        this(MAX_WITHOUT_PROGRESS);
    }

    /** Creates a stop with a limit for waits without progress. */
    StopRequest(Duration timeout) {
        this(timeout, AFTER_INTERRUPT);
    }

    /** Creates a stop with limits for waits without progress and for threads after an interrupt. */
    StopRequest(Duration timeout, Duration afterInterrupt) {
        this.maxWithoutProgress = timeout;
        this.afterInterrupt = afterInterrupt;
    }

    /** Requests the end: nothing more is read or retried. Idempotent. */
    public void request() {
        requested.countDown();
        waits.forEach(WatchedWait::interruptIfOverdue);
    }

    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits for the request; returns false if it has not come within {@code millis} milliseconds. */
    boolean await(long millis) throws InterruptedException {
        return requested.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Begins an operation of the calling thread that may have to wait. The thread closes the result.
     *
     * @param action the name of the operation as the subject of a sentence
     * @param limit how long the operation may go on without success; null for no limit
     */
    WatchedWait begin(String action, Duration limit) {
        WatchedWait wait = new WatchedWait(action, Thread.currentThread(), limit);
        waits.add(wait);
        return wait;
    }

    /** Returns a line for each operation that fails, or that has made no progress for some seconds: its name, how long, and why. */
    public List<String> troubles() {
        return waits.stream()
                .map(WatchedWait::trouble)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    /**
     * Interrupts overdue waits until this thread is interrupted itself. Runs on a thread of its own.
     *
     * @param stuck receives one line for each wait that an interrupt does not end
     */
    public void watch(Consumer<String> stuck) {
        try {
            while (true) {
                Thread.sleep(CHECK_MILLIS);
                for (WatchedWait wait : waits) {
                    wait.interruptIfOverdue();
                    if (wait.isStuck()) {
                        waits.remove(wait);
                        stuck.accept(wait.action + " makes no progress and cannot be interrupted");
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An operation of one thread that may have to wait for other systems. */
    public final class WatchedWait implements AutoCloseable {

        private final String action;
        private final Thread thread;
        private final Duration limit;
        private final long since = System.nanoTime();

        // Guarded by this.
        private long progressAt = since;
        private String failure;
        private boolean ended;
        private boolean interrupted;
        private int warnings;
        private long interruptedAt;

        private WatchedWait(String action, Thread thread, Duration limit) {
            this.action = action;
            this.thread = thread;
            this.limit = limit;
        }

        /** Records progress. A failing operation makes progress only when it succeeds. */
        public synchronized void progress() {
            progressAt = System.nanoTime();
            warnings = 0;
        }

        /** Records a failed attempt and why it failed; more may follow. */
        synchronized void failed(String message) {
            failure = message;
        }

        private boolean isFailing() {
            return failure != null;
        }

        /** Returns a line that says for how long the operation has failed or has been without progress; null if all is well. */
        private synchronized String trouble() {
            Duration length = length();
            if (isFailing()) {
                return action + " has failed for " + length.toSeconds() + " s: " + failure;
            }
            return length.compareTo(SHOWN_FROM) < 0
                    ? null
                    : action + " has made no progress for " + length.toSeconds() + " s";
        }

        /** Returns how long the operation has been failing, or without progress. */
        synchronized Duration length() {
            return Duration.ofNanos(System.nanoTime() - (isFailing() ? since : progressAt));
        }

        /** Returns whether the operation has reached its limit. */
        boolean isOver() {
            return limit != null && length().compareTo(limit) >= 0;
        }

        /** Returns how long the thread may sleep before the limit is reached, at most {@code millis} milliseconds. */
        long pauseUpTo(long millis) {
            return limit == null
                    ? millis
                    : Math.max(1, Math.min(millis, limit.minus(length()).toMillis()));
        }

        synchronized boolean wasInterrupted() {
            return interrupted;
        }

        private synchronized void interruptIfOverdue() {
            boolean stopped = isRequested() && (isFailing() || length().compareTo(maxWithoutProgress) >= 0);
            if (!isFailing() && !ended && length().compareTo(FIRST_WARNING.multipliedBy(1L << warnings)) >= 0) {
                warnings++;
                LOG.warn("{} has made no progress for {} s", action, length().toSeconds());
            }
            if (!ended && !interrupted && (stopped || isOver())) {
                interrupted = true;
                interruptedAt = System.nanoTime();
                thread.interrupt();
            }
        }

        private synchronized boolean isStuck() {
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
