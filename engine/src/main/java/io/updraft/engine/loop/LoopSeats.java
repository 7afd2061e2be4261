package io.updraft.engine.loop;

import java.util.ArrayList;
import java.util.List;

/** The executors of a loop. Changes while no loop runs; otherwise belongs to the loop. */
final class LoopSeats {

    private final EventLoop loop;
    private final ReadySeats ready;
    private final ApartSeats apart;
    private final Ticks ticks;
    private final List<Seat> all = new ArrayList<>();
    private final List<Seat> spouts = new ArrayList<>();
    private int nextSpout;

    LoopSeats(EventLoop loop, ReadySeats ready, ApartSeats apart, Ticks ticks) {
        this.loop = loop;
        this.ready = ready;
        this.apart = apart;
        this.ticks = ticks;
    }

    List<Seat> all() {
        return all;
    }

    int spouts() {
        return spouts.size();
    }

    /** Returns the spouts in turn. */
    Seat nextSpout() {
        if (nextSpout >= spouts.size()) {
            nextSpout = 0;
        }
        return spouts.get(nextSpout++);
    }

    /** Returns whether a spout on this loop could do work even without input. */
    boolean isPolled() {
        for (int i = 0; i < spouts.size(); i++) {
            Seat slot = spouts.get(i);
            if (!slot.apart && slot.executor().isPolled()) {
                return true;
            }
        }
        return false;
    }

    /** Puts all bolts with work into the queue, after a change of slots and when components may be opened. */
    void refresh() {
        for (Seat slot : all) {
            ready.add(slot);
        }
    }

    /** Adds an executor. */
    void add(Seat slot) {
        all.add(slot);
        if (slot.isSpout()) {
            spouts.add(slot);
        }
        if (slot.apart) {
            apart.add(slot);
        }
        slot.moveTo(loop);
        slot.ready = false;
    }

    /** Starts the ticks of an executor, before the loop runs. */
    void startTicks(Seat slot) {
        ticks.add(slot);
    }

    /** Adds an executor in place of others and takes over their ticks if they had any. */
    void add(Seat slot, Ticks.Tick tick) {
        add(slot);
        if (tick != null) {
            ticks.addLike(slot, tick);
        }
    }

    /** Moves an executor with its queued tuples to another loop. */
    void move(Seat slot, LoopSeats to) {
        remove(slot);
        ticks.move(slot, to.ticks);
        to.add(slot);
    }

    private void remove(Seat slot) {
        all.remove(slot);
        spouts.remove(slot);
        apart.remove(slot);
        ready.remove(slot);
    }

    /**
     * Removes an executor whose tasks have moved to other executors. Late acks for its tuple trees still reach the executor,
     * and find no tree.
     *
     * @return the ticks of the executor, null if it has none
     */
    Ticks.Tick retire(Seat slot) {
        remove(slot);
        slot.retire();
        return ticks.remove(slot);
    }
}
