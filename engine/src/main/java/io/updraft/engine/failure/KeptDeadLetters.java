package io.updraft.engine.failure;

import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * The newest dead letters of an engine, with their values, and the replays that were ordered. Bounded by number and roughly by
 * size: completed letters leave first, then the oldest ones. A letter whose replay is on stays. One that is too large is not kept.
 *
 * <pre>
 *   POSSIBLE, FAILED_AGAIN --request--> WAITING --take--> IN_FLIGHT --completed--> COMPLETED
 *                      ^                                      |
 *                      +---------------failed-----------------+
 * </pre>
 *
 * <p>May be used from any thread. Executors use it at dead letters and their replays only, and read {@link #isWaiting} once a turn.
 */
public final class KeptDeadLetters {

    /** Most bytes of the values of all letters, estimated. */
    static final long MOST_BYTES = 16L << 20;

    /** Numbers between two processes of a worker: more letters than a process keeps. */
    private static final long PROCESS_NUMBERS = 1_000_000;

    private final int capacity;

    /** The number of workers: their letters have different numbers. */
    private final int step;

    /** The letters by number, oldest first. */
    private final Map<Long, Kept> letters = new LinkedHashMap<>();

    private final Queue<Long> completed = new ArrayDeque<>();
    private final Map<Integer, Queue<Long>> waitingByTask = new HashMap<>();
    private long lastNumber;
    private long bytes;

    /** Number of letters that wait. Written under the lock, read by any thread. */
    private volatile int waiting;

    private record Kept(DeadLetter letter, long bytes) {}

    /**
     * Creates the store of one of several workers, without letters.
     *
     * @param capacity most letters that are kept
     * @param workers number of workers
     * @param self the number and incarnation of this worker
     */
    public KeptDeadLetters(int capacity, int workers, WorkerOptions self) {
        this.capacity = capacity;
        this.step = workers;
        long processes = Math.max(0, self.incarnation() - 1);
        this.lastNumber = self.worker() + 1L - workers + processes * workers * PROCESS_NUMBERS;
    }

    /**
     * Adds a letter. Called on the thread of its spout.
     *
     * @param timeMillis the time, milliseconds since the epoch
     * @param replay whether it can be replayed
     * @return the letter, with its number
     */
    public synchronized DeadLetter add(
            String component,
            int task,
            String stream,
            Object messageId,
            List<Object> values,
            int failures,
            String reason,
            long timeMillis,
            Replay replay) {
        lastNumber += step;
        long number = lastNumber;
        DeadLetter letter = new DeadLetter(
                number, component, task, stream, messageId, values, failures, reason, timeMillis, replay);
        long size = ValueSizes.of(values);
        if (size <= MOST_BYTES) {
            letters.put(number, new Kept(letter, size));
            bytes += size;
            evict();
        }
        return letter;
    }

    private void evict() {
        while (isOver() && !completed.isEmpty()) {
            bytes -= letters.remove(completed.remove()).bytes();
        }
        for (Iterator<Kept> oldest = letters.values().iterator(); isOver() && oldest.hasNext(); ) {
            Kept kept = oldest.next();
            if (!kept.letter.replay().isOn()) {
                bytes -= kept.bytes;
                oldest.remove();
            }
        }
    }

    private boolean isOver() {
        return letters.size() > capacity || bytes > MOST_BYTES;
    }

    /** Returns the letters, oldest first. */
    public synchronized List<DeadLetter> letters() {
        return letters.values().stream().map(Kept::letter).toList();
    }

    /**
     * Orders the replay of letters. A letter whose replay is on or completed is not replayed once more.
     *
     * @return the letters that are replayed by this order
     * @throws IllegalArgumentException when a letter is not here or cannot be replayed; then none is replayed
     */
    public synchronized List<Long> request(Collection<Long> numbers) {
        for (long number : numbers) {
            Kept kept = letters.get(number);
            if (kept == null) {
                throw new IllegalArgumentException("there is no dead letter " + number
                        + (number > 0 && number <= lastNumber ? " any more: only the newest are kept" : ""));
            }
            kept.letter.checkReplay();
        }
        return start(numbers);
    }

    /** Orders the replay of all letters that can be replayed, and returns them. */
    public synchronized List<Long> requestAll() {
        return start(List.copyOf(letters.keySet()));
    }

    private List<Long> start(Collection<Long> numbers) {
        List<Long> started = new ArrayList<>();
        for (long number : numbers) {
            DeadLetter letter = letters.get(number).letter;
            if (letter.replay().mayStart()) {
                set(letter.with(Replay.WAITING));
                waitingByTask
                        .computeIfAbsent(letter.task(), task -> new ArrayDeque<>())
                        .add(number);
                started.add(number);
            }
        }
        waiting += started.size();
        return started;
    }

    private void set(DeadLetter letter) {
        letters.computeIfPresent(letter.number(), (number, kept) -> new Kept(letter, kept.bytes));
    }

    /** Returns whether letters of any task wait for their replay. */
    public boolean isWaiting() {
        return waiting > 0;
    }

    /** Takes the next letter of a task that waits for its replay, or null. Called on the thread of the spout. */
    public synchronized DeadLetter take(int task) {
        Queue<Long> queue = waitingByTask.get(task);
        if (queue == null || queue.isEmpty()) {
            return null;
        }
        waiting--;
        DeadLetter letter = letters.get(queue.remove()).letter.with(Replay.IN_FLIGHT);
        set(letter);
        return letter;
    }

    /** Notes that a replay has completed. */
    public synchronized void completed(DeadLetter letter) {
        set(letter.with(Replay.COMPLETED));
        completed.add(letter.number());
    }

    /** Notes that a replay has failed: the letter is as before, with one failure more. */
    public synchronized void failed(DeadLetter letter, String reason) {
        set(letter.failedAgain(reason));
        evict();
    }
}
