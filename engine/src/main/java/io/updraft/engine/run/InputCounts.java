package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.LatencySum;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.storm.Constants;
import org.apache.storm.generated.GlobalStreamId;

/**
 * The counters of one executor of a bolt by input stream. For a bolt with one input, only the times of sampled tuples are
 * recorded here. For a bolt with several inputs, acks and fails are counted one by one, and executed tuples after each turn.
 *
 * <p>Ticks, and tuples of no input stream, have the position after the last input. All state belongs to the thread that runs
 * the executor, except the cells that snapshots read and the counts that the lock guards.
 */
final class InputCounts {

    private static final int EXECUTED = 0;
    private static final int ACKED = 1;
    private static final int FAILED = 2;
    private static final int EXECUTE_TIME = 3;
    private static final int PROCESS_TIME = 5;

    /** Whether streams are counted separately. */
    private final boolean several;

    private final ExecutorCounters counters;
    private final List<GlobalStreamId> inputs;

    /** Position by the plan's number of a stream. */
    private final int[] places;

    private final StreamCounters cells;

    /** Acks and fails of user threads. Guarded by the lock. */
    private final StreamCounters outside;

    public InputCounts(Plan plan, ComponentPlan component, ExecutorCounters counters) {
        this.counters = counters;
        this.inputs = component.inputs().keySet().stream()
                .sorted(Comparator.comparing(GlobalStreamId::get_componentId)
                        .thenComparing(GlobalStreamId::get_streamId))
                .toList();
        this.several = inputs.size() > 1;
        this.places = places(plan, inputs);
        this.cells = new StreamCounters(inputs.size() + 1);
        this.outside = new StreamCounters(inputs.size() + 1);
    }

    private static int[] places(Plan plan, List<GlobalStreamId> inputs) {
        int[] places = new int[plan.streamCount() + 1];
        Arrays.fill(places, inputs.size());
        for (int i = 0; i < inputs.size(); i++) {
            GlobalStreamId input = inputs.get(i);
            places[plan.numberOf(input.get_componentId(), input.get_streamId())] = i;
        }
        return places;
    }

    public boolean isByStream() {
        return several;
    }

    public int placeOf(EngineTuple tuple) {
        return places[tuple.origin().number()];
    }

    public void executed(Batch work, int from, int to) {
        int place = -1;
        int since = from;
        for (int i = from; i < to; i++) {
            int next = placeOf(work.tuple(i));
            if (next != place) {
                addExecuted(place, i - since);
                place = next;
                since = i;
            }
        }
        addExecuted(place, to - since);
    }

    private void addExecuted(int place, int count) {
        if (count > 0) {
            cells.addOpaque(place, EXECUTED, count);
        }
    }

    public void acked(EngineTuple tuple) {
        cells.addOpaque(placeOf(tuple), ACKED, 1);
    }

    public void failed(EngineTuple tuple) {
        cells.addOpaque(placeOf(tuple), FAILED, 1);
    }

    /** Under the lock. */
    public void settledOutside(EngineTuple tuple, boolean acked) {
        outside.addOpaque(placeOf(tuple), acked ? ACKED : FAILED, 1);
    }

    public void recordExecute(int place, long nanos) {
        cells.addTimeOpaque(place, EXECUTE_TIME, nanos);
    }

    public void recordProcess(EngineTuple tuple, long nanos) {
        cells.addTimeOpaque(placeOf(tuple), PROCESS_TIME, nanos);
    }

    /** Under the lock. */
    public void recordProcessOutside(EngineTuple tuple, long nanos) {
        outside.addTimeOpaque(placeOf(tuple), PROCESS_TIME, nanos);
    }

    /** Returns the number of positions: the inputs and the tick stream. May be called from any thread. */
    public int places() {
        return inputs.size() + 1;
    }

    /** Returns the counters of a stream. May be called from any thread. */
    public InputSnapshot snapshot(int place) {
        boolean ticks = place == inputs.size();
        String component =
                ticks ? Constants.SYSTEM_COMPONENT_ID : inputs.get(place).get_componentId();
        String stream =
                ticks ? Constants.SYSTEM_TICK_STREAM_ID : inputs.get(place).get_streamId();
        LatencySum process = cells.getTimeOpaque(place, PROCESS_TIME).plus(outside.getTimeOpaque(place, PROCESS_TIME));
        if (several) {
            return new InputSnapshot(
                    component,
                    stream,
                    cells.getOpaque(place, EXECUTED),
                    cells.getOpaque(place, ACKED) + outside.getOpaque(place, ACKED),
                    cells.getOpaque(place, FAILED) + outside.getOpaque(place, FAILED),
                    cells.getTimeOpaque(place, EXECUTE_TIME),
                    process);
        }
        return ofOne(component, stream, ticks, process);
    }

    /**
     * Computes the counters of a bolt with one input: everything counts for the input except ticks, which are counted when they
     * are created.
     */
    private InputSnapshot ofOne(String component, String stream, boolean ticks, LatencySum process) {
        long executed = counters.getAcquire(ExecutorCounter.EXECUTED);
        long ticked = Math.min(executed, counters.getAcquire(ExecutorCounter.TICKS));
        if (ticks) {
            return new InputSnapshot(component, stream, ticked, 0, 0, LatencySum.NONE, process);
        }
        long acked = counters.total(ExecutorCounter.ACKED);
        long failed = counters.total(ExecutorCounter.FAILED);
        LatencySum execute = new LatencySum(executed, counters.getAcquire(ExecutorCounter.BUSY_NANOS));
        return new InputSnapshot(component, stream, executed - ticked, acked, failed, execute, process);
    }
}
