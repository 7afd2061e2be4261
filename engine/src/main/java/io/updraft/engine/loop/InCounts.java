package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.metrics.InputSnapshot;
import io.updraft.engine.metrics.LatencySum;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.storm.Constants;
import org.apache.storm.generated.GlobalStreamId;

/**
 * What one executor of a bolt has done by input stream. If the bolt has one, only the times of tuples that are timed anyway are
 * recorded here. If it has several, tuples are counted as they are acked, and when a turn has executed them.
 *
 * <p>Ticks, and all that is no input, are in the place behind the last input. All but what is read by snapshots, and what is said
 * to be under the lock, belongs to the thread that runs the executor.
 */
final class InCounts {

    private static final int EXECUTED = 0;
    private static final int ACKED = 1;
    private static final int FAILED = 2;
    private static final int EXECUTE_TIME = 3;
    private static final int PROCESS_TIME = 5;

    /** Whether streams are counted apart. */
    final boolean several;

    private final Executor executor;
    private final List<GlobalStreamId> inputs;

    /** Place by the plan's number of a stream. */
    private final int[] places;

    private final StreamCells cells;

    /** What threads of the user's have acked; under the lock. */
    private final StreamCells outside;

    InCounts(Executor executor) {
        this.executor = executor;
        this.inputs = executor.component.inputs().keySet().stream()
                .sorted(Comparator.comparing(GlobalStreamId::get_componentId)
                        .thenComparing(GlobalStreamId::get_streamId))
                .toList();
        this.several = inputs.size() > 1;
        this.places = places(executor.shared.plan(), inputs);
        this.cells = new StreamCells(inputs.size() + 1);
        this.outside = new StreamCells(inputs.size() + 1);
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

    int placeOf(EngineTuple tuple) {
        return places[tuple.origin().number()];
    }

    /** Counts tuples that were executed. */
    void executed(Batch work, int from, int to) {
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

    void acked(EngineTuple tuple) {
        cells.addOpaque(placeOf(tuple), ACKED, 1);
    }

    void failed(EngineTuple tuple) {
        cells.addOpaque(placeOf(tuple), FAILED, 1);
    }

    /** Under the lock. */
    void settledOutside(EngineTuple tuple, boolean acked) {
        outside.addOpaque(placeOf(tuple), acked ? ACKED : FAILED, 1);
    }

    void recordExecute(int place, long nanos) {
        cells.addTimeOpaque(place, EXECUTE_TIME, nanos);
    }

    void recordProcess(EngineTuple tuple, long nanos) {
        cells.addTimeOpaque(placeOf(tuple), PROCESS_TIME, nanos);
    }

    /** Under the lock. */
    void recordProcessOutside(EngineTuple tuple, long nanos) {
        outside.addTimeOpaque(placeOf(tuple), PROCESS_TIME, nanos);
    }

    /** How many streams can be told of: the inputs, and that of ticks. From any thread. */
    int places() {
        return inputs.size() + 1;
    }

    /** What was done with a stream. From any thread. */
    InputSnapshot snapshot(int place) {
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

    /** Of a bolt with one input all is that of the input, but for the ticks, which are counted as they are made. */
    private InputSnapshot ofOne(String component, String stream, boolean ticks, LatencySum process) {
        Counters all = executor.counters;
        long executed = all.getAcquire(Counter.EXECUTED);
        long ticked = Math.min(executed, all.getAcquire(Counter.TICKS));
        if (ticks) {
            return new InputSnapshot(component, stream, ticked, 0, 0, LatencySum.NONE, process);
        }
        long acked = all.getAcquire(Counter.ACKED) + executor.outsideCounts.acked.sum();
        long failed = all.getAcquire(Counter.FAILED) + executor.outsideCounts.failed.sum();
        LatencySum execute = new LatencySum(executed, all.getAcquire(Counter.BUSY_NANOS));
        return new InputSnapshot(component, stream, executed - ticked, acked, failed, execute, process);
    }
}
