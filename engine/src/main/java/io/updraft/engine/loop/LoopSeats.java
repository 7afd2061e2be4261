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
            Seat seat = spouts.get(i);
            if (!seat.apart && seat.executor().isPolled()) {
                return true;
            }
        }
        return false;
    }

    /** Puts all bolts with work into the queue, after a change of seats and when components may be opened. */
    void refresh() {
        for (Seat seat : all) {
            ready.add(seat);
        }
    }

    /** Adds an executor. */
    void add(Seat seat) {
        all.add(seat);
        if (seat.isSpout()) {
            spouts.add(seat);
        }
        if (seat.apart) {
            apart.add(seat);
        }
        seat.moveTo(loop);
        seat.ready = false;
    }

    /** Starts the ticks of an executor, before the loop runs. */
    void startTicks(Seat seat) {
        ticks.add(seat);
    }

    /** Adds an executor in place of others and takes over their ticks if they had any. */
    void add(Seat seat, Ticks.Tick tick) {
        add(seat);
        if (tick != null) {
            ticks.addLike(seat, tick);
        }
    }

    /** Moves an executor with its queued tuples to another loop. */
    void move(Seat seat, LoopSeats to) {
        remove(seat);
        ticks.move(seat, to.ticks);
        to.add(seat);
    }

    private void remove(Seat seat) {
        all.remove(seat);
        spouts.remove(seat);
        apart.remove(seat);
        ready.remove(seat);
    }

    /**
     * Removes an executor whose tasks have moved to other executors. Late acks for its tuple trees still reach the executor,
     * and find no tree.
     *
     * @return the ticks of the executor, null if it has none
     */
    Ticks.Tick retire(Seat seat) {
        remove(seat);
        seat.retire();
        return ticks.remove(seat);
    }
}
