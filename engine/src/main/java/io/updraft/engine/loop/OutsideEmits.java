package io.updraft.engine.loop;

import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/** The emits of user threads that wait for a turn of a spout executor. May be used from any thread. */
final class OutsideEmits {

    /** Emits that may wait, unless fewer messages may be pending. */
    private static final int MAX_WAITING = 8192;

    private final Queue<OutsideEmit> waiting = new LinkedBlockingQueue<>();
    private final int limit;

    /** An emit for a task. */
    record OutsideEmit(int task, Runnable emit) {}

    OutsideEmits(int maxPending) {
        limit = Math.min(MAX_WAITING, maxPending);
    }

    void add(OutsideEmit emit) {
        waiting.add(emit);
    }

    /** Takes the next emit, or null. */
    OutsideEmit poll() {
        return waiting.poll();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    /** Returns whether user threads must wait before they emit more. */
    boolean isFull() {
        return waiting.size() >= limit;
    }

    /** Moves the emits of a task to another executor. */
    void move(int task, OutsideEmits to) {
        waiting.removeIf(emit -> emit.task() == task && to.waiting.add(emit));
    }
}
