package io.updraft.engine.run;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;

/** Where a loop delivers tuples and reports: to the slot of an executor, or into the lane to another loop. Belongs to the loop. */
final class RoutingTable {

    private final ReadySlots ready;
    private final int loops;
    private final ExecutorSlot[] slotOfTask;
    private ExecutorSlot[] slotOfExecutor;

    /** Positions in {@code lanes}. */
    private final int[] laneOfTask;

    private int[] laneOfExecutor;

    /**
     * The lanes to the other loops, followed by those to the other workers; null for the loop itself and for its own worker.
     */
    private OutboundLane[] lanes;

    /** Whether the batch that is delivered came from another loop or worker. */
    private boolean receiving;

    RoutingTable(ReadySlots ready, int loops, int tasks, int executors) {
        this.ready = ready;
        this.loops = loops;
        this.slotOfTask = new ExecutorSlot[tasks];
        this.slotOfExecutor = new ExecutorSlot[executors];
        this.laneOfTask = new int[tasks];
        this.laneOfExecutor = new int[executors];
    }

    void connect(OutboundLane[] lanesOut) {
        lanes = lanesOut;
    }

    /** Delivers a batch of another loop or worker. */
    void receive(Batch batch) {
        receiving = true;
        route(batch);
        receiving = false;
    }

    void route(Batch batch) {
        ExecutorSlot only = batch.hasSingleTarget() ? slotOfTask[batch.target(0)] : null;
        if (only != null) {
            only.takeTuples(batch);
            arrived(only);
        } else {
            int tuples = batch.tupleCount();
            for (int i = 0; i < tuples; i++) {
                deliver(batch.tuple(i), batch.target(i));
            }
        }
        int reports = batch.reportCount();
        for (int i = 0; i < reports; i++) {
            int owner = batch.owner(i);
            ExecutorSlot slot = slotOfExecutor[owner];
            if (slot != null) {
                slot.addReport(batch.kind(i), batch.root(i), batch.value(i));
            } else {
                lanes[laneOfExecutor[owner]].addReport(batch.kind(i), owner, batch.root(i), batch.value(i));
            }
        }
    }

    void deliver(EngineTuple tuple, int task) {
        ExecutorSlot slot = slotOfTask[task];
        if (slot != null) {
            slot.addTuple(tuple, task);
            arrived(slot);
        } else {
            lanes[laneOfTask[task]].add(tuple, task);
        }
    }

    private void arrived(ExecutorSlot slot) {
        if (receiving) {
            slot.markCrossed();
        }
        ready.arrived(slot);
    }

    boolean flush() {
        boolean sent = false;
        for (OutboundLane lane : lanes) {
            sent |= lane != null && lane.flush();
        }
        return sent;
    }

    /**
     * Returns whether all lanes to loops of this worker are not full. Full lanes to other workers hold back only the components
     * that send to those workers; see Pressure.
     */
    boolean areClear() {
        return !isParked(0, loops);
    }

    boolean isParked() {
        return isParked(0, lanes.length);
    }

    private boolean isParked(int from, int to) {
        for (int i = from; i < to; i++) {
            if (lanes[i] != null && lanes[i].isParked()) {
                return true;
            }
        }
        return false;
    }

    public boolean isParkedToWorkers() {
        return isParked(loops, lanes.length);
    }

    /** Returns whether all batches for other workers have left this one. */
    public boolean hasLeft() {
        for (int i = loops; i < lanes.length; i++) {
            if (lanes[i] != null && !lanes[i].isClear()) {
                return false;
            }
        }
        return true;
    }

    /** Stores the slot of an executor if it is on this loop, and its lane otherwise. Called while the loop does not run. */
    void put(ExecutorPlan executor, ExecutorSlot slot, int lane) {
        if (executor.index() >= slotOfExecutor.length) {
            slotOfExecutor = Arrays.copyOf(slotOfExecutor, executor.index() + 1);
            laneOfExecutor = Arrays.copyOf(laneOfExecutor, executor.index() + 1);
        }
        slotOfExecutor[executor.index()] = slot;
        laneOfExecutor[executor.index()] = lane;
        for (int task : executor.taskIds()) {
            slotOfTask[task] = slot;
            laneOfTask[task] = lane;
        }
    }
}
