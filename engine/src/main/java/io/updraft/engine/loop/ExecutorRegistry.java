package io.updraft.engine.loop;

import io.updraft.engine.executor.Executor;
import java.util.ArrayList;
import java.util.List;

/** The executors of this worker, current and former. Replaced while all loops stand still; read by any thread. */
public final class ExecutorRegistry {

    private volatile Entries now;

    /**
     * The executors at one moment.
     *
     * @param slots the slots of the current executors
     * @param all the slots of the current executors, and of the former ones, whose counters still count
     * @param executors the number of executors so far, which is the number of the next one
     */
    public record Entries(List<ExecutorSlot> slots, List<ExecutorSlot> all, int executors) {

        /** Returns the executors whose counters count. */
        public List<Executor> counted() {
            return all.stream().map(ExecutorSlot::executor).toList();
        }
    }

    /** Sets the first slots. */
    void begin(List<ExecutorSlot> slots, int executors) {
        now = new Entries(List.copyOf(slots), List.copyOf(slots), executors);
    }

    /** Replaces slots by others. */
    public void replace(List<ExecutorSlot> old, List<ExecutorSlot> next) {
        List<ExecutorSlot> slots = new ArrayList<>(now.slots);
        slots.removeAll(old);
        slots.addAll(next);
        List<ExecutorSlot> all = new ArrayList<>(now.all);
        all.addAll(next);
        now = new Entries(List.copyOf(slots), List.copyOf(all), now.executors + next.size());
    }

    public Entries now() {
        return now;
    }
}
