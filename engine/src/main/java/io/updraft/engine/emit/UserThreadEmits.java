package io.updraft.engine.emit;

import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/** The emits of user threads that wait for a turn of a spout executor. May be used from any thread. */
public final class UserThreadEmits {

    /** Emits that may wait, unless fewer messages may be pending. */
    private static final int MAX_WAITING = 8192;

    private final Queue<WaitingEmit> waiting = new LinkedBlockingQueue<>();
    private final int limit;

    /**
     * An emit for a task.
     *
     * @param task the task that emits
     * @param emit runs the emit
     */
    public record WaitingEmit(int task, Runnable emit) {}

    public UserThreadEmits(int maxPending) {
        limit = Math.min(MAX_WAITING, maxPending);
    }

    void add(WaitingEmit emit) {
        waiting.add(emit);
    }

    /** Takes the next emit, or null. */
    public WaitingEmit poll() {
        return waiting.poll();
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    public int size() {
        return waiting.size();
    }

    /** Returns whether user threads must wait before they emit more. */
    boolean isFull() {
        return waiting.size() >= limit;
    }

    /** Moves the emits of a task to another executor. */
    public void move(int task, UserThreadEmits to) {
        waiting.removeIf(emit -> emit.task() == task && to.waiting.add(emit));
    }
}
