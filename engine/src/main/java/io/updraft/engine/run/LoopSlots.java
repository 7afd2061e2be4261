package io.updraft.engine.run;

import java.util.ArrayList;
import java.util.List;

/** The executors of a loop. Changes while no loop runs; otherwise belongs to the loop. */
final class LoopSlots {

    private final EventLoop loop;
    private final ReadySlots ready;
    private final DetachedSlots detached;
    private final TickTimer ticks;
    private final List<ExecutorSlot> all = new ArrayList<>();
    private final List<ExecutorSlot> spouts = new ArrayList<>();
    private int nextSpout;

    LoopSlots(EventLoop loop, ReadySlots ready, DetachedSlots detached, TickTimer ticks) {
        this.loop = loop;
        this.ready = ready;
        this.detached = detached;
        this.ticks = ticks;
    }

    public List<ExecutorSlot> all() {
        return all;
    }

    int spouts() {
        return spouts.size();
    }

    ExecutorSlot nextSpout() {
        if (nextSpout >= spouts.size()) {
            nextSpout = 0;
        }
        return spouts.get(nextSpout++);
    }

    /** Returns whether a spout on this loop could do work even without input. */
    boolean isPolled() {
        for (int i = 0; i < spouts.size(); i++) {
            ExecutorSlot slot = spouts.get(i);
            if (!slot.detached && slot.executor().isPolled()) {
                return true;
            }
        }
        return false;
    }

    /** Puts all bolts with work into the queue, after a change of slots and when components may be opened. */
    public void refresh() {
        for (ExecutorSlot slot : all) {
            ready.add(slot);
        }
    }

    void add(ExecutorSlot slot) {
        all.add(slot);
        if (slot.isSpout()) {
            spouts.add(slot);
        }
        if (slot.detached) {
            detached.add(slot);
        }
        slot.moveTo(loop);
        slot.ready = false;
    }

    /** Starts the ticks of an executor, before the loop runs. */
    void startTicks(ExecutorSlot slot) {
        ticks.add(slot);
    }

    /** Adds an executor in place of others and takes over their ticks if they had any. */
    public void add(ExecutorSlot slot, TickTimer.Tick tick) {
        add(slot);
        if (tick != null) {
            ticks.addLike(slot, tick);
        }
    }

    /** Moves an executor with its queued tuples to another loop. */
    void move(ExecutorSlot slot, LoopSlots to) {
        remove(slot);
        ticks.move(slot, to.ticks);
        to.add(slot);
    }

    private void remove(ExecutorSlot slot) {
        all.remove(slot);
        spouts.remove(slot);
        detached.remove(slot);
        ready.remove(slot);
    }

    /**
     * Removes an executor whose tasks have moved to other executors. Late acks for its tuple trees still reach the executor,
     * and find no tree.
     *
     * @return the ticks of the executor, null if it has none
     */
    public TickTimer.Tick retire(ExecutorSlot slot) {
        remove(slot);
        slot.retire();
        return ticks.remove(slot);
    }
}
