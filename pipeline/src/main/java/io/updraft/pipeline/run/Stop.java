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
 * The request that a run ends, and what it means for threads that wait for the outside world. A wait that has failed before ends at once. One
 * that has not is given {@link #PATIENCE} without progress, and then ends too. All methods may be called from any thread.
 */
final class Stop {

    /** How long a write may stand still once the run is to end. Shorter than what service managers give a process. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger(Stop.class);
    private static final long LOOK_MILLIS = 200;

    /** A wait without progress is told when it has lasted so long, and each time that it has lasted twice as long. */
    private static final Duration WORTH_A_WORD = Duration.ofSeconds(15);

    /** How long a thread may take to end its wait after it was interrupted: waits for pipes and some sockets cannot be. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(12);

    private final CountDownLatch requested = new CountDownLatch(1);
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private final Duration patience;
    private final Duration afterInterrupt;

    Stop() {
        this(PATIENCE);
    }

    /** One that gives waits so long without progress. */
    Stop(Duration patience) {
        this(patience, AFTER_INTERRUPT);
    }

    /** And a thread that was interrupted so long to end its wait. */
    Stop(Duration patience, Duration afterInterrupt) {
        this.patience = patience;
        this.afterInterrupt = afterInterrupt;
    }

    /** Nothing more is to be read or tried again. Idempotent. */
    void request() {
        requested.countDown();
        waits.forEach(Wait::look);
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits for the request; false if it has not come in so many milliseconds. */
    boolean await(long millis) throws InterruptedException {
        return requested.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * The calling thread begins something that may have to wait; to be closed by it.
     *
     * @param what the subject of a sentence, for people
     * @param limit how long it may last without success; null for ever
     */
    Wait begin(String what, Duration limit) {
        Wait wait = new Wait(what, Thread.currentThread(), limit);
        waits.add(wait);
        return wait;
    }

    /**
     * Interrupts waits whose time is over, until this thread is interrupted itself; for a thread of its own.
     *
     * @param stuck told of each wait that an interrupt does not end: one line that says what it is
     */
    void watch(Consumer<String> stuck) {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                for (Wait wait : waits) {
                    wait.look();
                    if (wait.isLeftBehind()) {
                        waits.remove(wait);
                        stuck.accept(wait.what + " makes no progress, and cannot be interrupted");
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something that one thread does and that may have to wait for others. */
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

        /** It is getting on. What fails gets on only when it succeeds. */
        synchronized void progress() {
            progressAt = System.nanoTime();
            told = 0;
        }

        /** An attempt has failed; there may be more. */
        synchronized void failed() {
            failing = true;
        }

        /** For how long it has been failing, or without progress. */
        synchronized Duration length() {
            return Duration.ofNanos(System.nanoTime() - (failing ? since : progressAt));
        }

        /** Whether it has lasted for longer than its limit. */
        boolean isOver() {
            return limit != null && length().compareTo(limit) >= 0;
        }

        /** How long the thread may sleep until its limit is reached, at most so many milliseconds. */
        long upTo(long millis) {
            return limit == null
                    ? millis
                    : Math.max(1, Math.min(millis, limit.minus(length()).toMillis()));
        }

        /** Whether it was told to end while it waited. */
        synchronized boolean wasInterrupted() {
            return interrupted;
        }

        private synchronized void look() {
            boolean stopped = isRequested() && (failing || length().compareTo(patience) >= 0);
            if (!failing && !ended && length().compareTo(WORTH_A_WORD.multipliedBy(1L << told)) >= 0) {
                told++;
                LOG.warn("{} makes no progress, for {} s now", what, length().toSeconds());
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

        /** The thread waits no more; an interrupt that was meant for this is taken back. */
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
