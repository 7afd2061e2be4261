package io.updraft.console.cluster;

import io.updraft.base.thread.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads Nimbus on one thread, for all pages together: what was asked for in the last 30 seconds, once a second or, if that takes
 * longer, so that Nimbus is idle three quarters of the time. The background reads begin each ten seconds, also if nobody asks. They
 * are made one by one, so that no page waits for them.
 */
final class SampledReads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SampledReads.class);
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);
    private static final long BACKGROUND_PERIOD = TimeUnit.SECONDS.toNanos(10);
    private static final long ASKED_SPAN = TimeUnit.SECONDS.toNanos(30);
    private static final int IDLE_FACTOR = 3;

    private final NimbusCaller caller;
    private final Listener listener;
    private final long patience;
    private final Map<NimbusCall<?>, Entry> entries = new HashMap<>();

    /** Background reads that are still to be made; guarded by the entries. */
    private final Queue<NimbusCall<?>> background = new ArrayDeque<>();

    private final Thread thread = DaemonThreads.create("updraft-nimbus", this::run);

    private long nextRound = System.nanoTime();
    private long nextBackground = nextRound;

    /** Until then Nimbus is idle, unless somebody asks what is not known. */
    private long idleUntil = nextRound;

    /** When the call in progress began, {@link System#nanoTime()}; 0 if there is none. */
    private long callBegan;

    private boolean closed;

    /** Is called on the sampler's thread. */
    interface Listener {
        /** Takes an answer before anybody who asked gets it. */
        void onRead(Object answer);

        /** Returns the calls that are made without being asked for. */
        List<NimbusCall<?>> background();
    }

    private static final class Entry {
        private long askedAt;
        private long read;
        private boolean everRead;
        private Object value;
        private Exception failure;

        Entry(long now) {
            askedAt = now;
            read = now;
        }
    }

    /**
     * Starts the thread.
     *
     * @param patience how long a question waits for an answer; it ends before the timeout of the connection
     */
    SampledReads(NimbusCaller caller, Listener listener, Duration patience) {
        this.caller = caller;
        this.listener = listener;
        this.patience = patience.toNanos();
        thread.start();
    }

    /**
     * Returns the newest answer; waits only for the first one.
     *
     * @throws IOException when Nimbus does not answer; the message is one line for users
     * @throws IllegalArgumentException when Nimbus refuses the call
     */
    <T> T get(NimbusCall<T> call) throws IOException, InterruptedException {
        synchronized (entries) {
            long began = System.nanoTime();
            Entry entry = entries.computeIfAbsent(call, added -> new Entry(began));
            entry.askedAt = began;
            entries.notifyAll();
            while (!entry.everRead) {
                long left = began + patience - System.nanoTime();
                if (left <= 0 || closed) {
                    throw silent(System.nanoTime() - began);
                }
                TimeUnit.NANOSECONDS.timedWait(entries, left);
            }
            long busy = callBegan == 0 ? 0 : System.nanoTime() - callBegan;
            if (busy > patience) {
                throw silent(busy);
            }
            if (entry.failure instanceof IOException failure) {
                throw new IOException(failure.getMessage(), failure);
            } else if (entry.failure != null) {
                throw new IllegalArgumentException(entry.failure.getMessage(), entry.failure);
            }
            return answer(entry);
        }
    }

    @SuppressWarnings("unchecked") // The value is the answer to the call that is the key.
    private static <T> T answer(Entry entry) {
        return (T) entry.value;
    }

    private IOException silent(long nanos) {
        return new IOException("Nimbus at " + caller.address() + " has not answered for "
                + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s; retrying");
    }

    private void run() {
        try {
            while (true) {
                Set<NimbusCall<?>> due = awaitDue();
                long began = System.nanoTime();
                boolean answered = readAll(due);
                long end = System.nanoTime();
                synchronized (entries) {
                    // Without an answer Nimbus had no work, and whoever leads next is to be found soon.
                    idleUntil = end + (answered ? IDLE_FACTOR * (end - began) : PERIOD);
                    nextRound = Math.max(began + PERIOD, idleUntil);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the reads of Nimbus end");
        } finally {
            caller.close();
        }
    }

    /**
     * Waits until there is something to read. What nobody has asked for yet is read at once, everything else in rounds, each with one
     * background read.
     */
    private Set<NimbusCall<?>> awaitDue() throws InterruptedException {
        synchronized (entries) {
            while (true) {
                long now = System.nanoTime();
                entries.values().removeIf(entry -> Math.min(now - entry.askedAt, now - entry.read) > ASKED_SPAN);
                Set<NimbusCall<?>> due = new LinkedHashSet<>();
                entries.forEach((call, entry) -> {
                    boolean done = call.isConstant() && entry.failure == null;
                    if (!entry.everRead || now >= nextRound && now - entry.askedAt <= ASKED_SPAN && !done) {
                        due.add(call);
                    }
                });
                if (background.isEmpty() && now >= nextBackground) {
                    nextBackground = now + BACKGROUND_PERIOD;
                    background.addAll(listener.background());
                }
                if (!background.isEmpty() && (!due.isEmpty() || now >= idleUntil)) {
                    due.add(background.remove());
                }
                if (!due.isEmpty()) {
                    return due;
                }
                long nextQuiet = background.isEmpty() ? nextBackground : idleUntil;
                long next = now < nextRound ? Math.min(nextRound, nextQuiet) : nextQuiet;
                TimeUnit.NANOSECONDS.timedWait(entries, Math.max(1_000_000, next - now));
            }
        }
    }

    /** Makes the calls. Returns false if Nimbus does not answer. */
    private boolean readAll(Set<NimbusCall<?>> due) throws InterruptedException {
        List<NimbusCall<?>> left = new ArrayList<>(due);
        while (!left.isEmpty()) {
            NimbusCall<?> call = left.remove(0);
            try {
                begin(System.nanoTime());
                Object answer = caller.read(call);
                begin(0);
                listener.onRead(answer);
                store(call, answer, null);
            } catch (IOException e) {
                begin(0);
                // The others would only wait for the same timeout.
                store(call, null, e);
                left.forEach(other -> store(other, null, e));
                synchronized (entries) {
                    background.clear();
                }
                return false;
            } catch (RuntimeException e) {
                begin(0);
                store(call, null, e);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return true;
    }

    private void begin(long nanos) {
        synchronized (entries) {
            callBegan = nanos;
        }
    }

    private void store(NimbusCall<?> call, Object answer, Exception failure) {
        synchronized (entries) {
            long now = System.nanoTime();
            Entry entry = entries.computeIfAbsent(call, added -> new Entry(now - ASKED_SPAN - 1));
            entry.read = now;
            entry.everRead = true;
            entry.value = answer;
            entry.failure = failure;
            entries.notifyAll();
        }
    }

    @Override
    public void close() {
        synchronized (entries) {
            closed = true;
            entries.notifyAll();
        }
        thread.interrupt();
    }
}
