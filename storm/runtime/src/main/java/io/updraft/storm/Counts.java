package io.updraft.storm;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.ExecutorSnapshot;
import io.updraft.engine.metrics.InputSnapshot;
import io.updraft.engine.metrics.LatencySum;
import io.updraft.engine.metrics.OutputSnapshot;
import io.updraft.engine.metrics.StreamsSnapshot;
import io.updraft.engine.plan.ExecutorPlan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.storm.utils.Utils;

/**
 * The counts of one component or executor since some moment.
 *
 * @param emitted calls of emit
 * @param transferred tuples sent
 * @param executed executed tuples
 * @param acked acked tuples or trees
 * @param failed failed tuples or trees
 * @param busyNanos time in user code, nanoseconds
 * @param streams the counts by stream, and latencies
 * @param executors for a component, the counts by executor, keyed by the executor's first task; for an executor, empty
 */
record Counts(
        long emitted,
        long transferred,
        long executed,
        long acked,
        long failed,
        long busyNanos,
        StreamsSnapshot streams,
        Map<Integer, Counts> executors) {

    private static final OutputSnapshot NOTHING = new OutputSnapshot("", 0, 0, 0, 0, LatencySum.NONE);

    static Counts of(ComponentSnapshot component) {
        return new Counts(
                component.emitted(),
                component.transferred(),
                component.executed(),
                component.acked(),
                component.failed(),
                component.busyNanos(),
                component.streams(),
                component.byExecutor().stream().collect(Collectors.toMap(ExecutorSnapshot::firstTask, Counts::of)));
    }

    private static Counts of(ExecutorSnapshot executor) {
        return new Counts(
                executor.emitted(),
                executor.transferred(),
                executor.executed(),
                executor.acked(),
                executor.failed(),
                executor.busyNanos(),
                executor.streams(),
                Map.of());
    }

    /**
     * Returns the counts of one of the component's executors. Counts from before a rebalance go to the executor that now has
     * the first task of the old executor, so that sums over a component are exact.
     */
    Counts ofExecutor(ExecutorPlan executor) {
        return Arrays.stream(executor.taskIds())
                .mapToObj(executors::get)
                .filter(Objects::nonNull)
                .reduce(none(), Counts::plus);
    }

    private Counts plus(Counts other) {
        return new Counts(
                emitted + other.emitted,
                transferred + other.transferred,
                executed + other.executed,
                acked + other.acked,
                failed + other.failed,
                busyNanos + other.busyNanos,
                streams.plus(other.streams),
                Map.of());
    }

    Counts since(Counts before) {
        return new Counts(
                emitted - before.emitted,
                transferred - before.transferred,
                executed - before.executed,
                acked - before.acked,
                failed - before.failed,
                busyNanos - before.busyNanos,
                streams.since(before.streams),
                since(executors, before.executors));
    }

    private static Map<Integer, Counts> since(Map<Integer, Counts> now, Map<Integer, Counts> before) {
        Map<Integer, Counts> difference = new HashMap<>();
        now.forEach((task, counts) ->
                difference.put(task, before.containsKey(task) ? counts.since(before.get(task)) : counts));
        return difference;
    }

    /** Returns zeros for the same streams. */
    private Counts none() {
        return new Counts(0, 0, 0, 0, 0, 0, streams.since(streams), Map.of());
    }

    /**
     * Returns the streams that a component emits on.
     *
     * @param withSystem whether to include system streams that have emitted anything
     */
    List<OutputSnapshot> outputs(boolean withSystem) {
        return streams.outputs().stream()
                .filter(output -> !Utils.isSystemId(output.stream()) || withSystem && output.emitted() > 0)
                .toList();
    }

    /** Returns the input streams of a bolt, and the tick stream if the bolt has executed ticks. */
    List<InputSnapshot> inputs() {
        return streams.inputs().stream()
                .filter(input -> !Utils.isSystemId(input.stream()) || input.executed() > 0)
                .toList();
    }

    /** Returns the sums of emitted and transferred tuples, with or without system streams. */
    OutputSnapshot output(boolean withSystem) {
        return outputs(withSystem).stream().reduce(NOTHING, OutputSnapshot::plus);
    }

    /** Returns the mean time of an execute, in milliseconds. */
    double executeMillis() {
        return executed == 0 ? 0 : busyNanos / 1e6 / executed;
    }

    /** Returns the mean time from the beginning of an execute to the ack, in milliseconds. */
    double processMillis() {
        return streams.inputs().stream()
                .map(InputSnapshot::process)
                .reduce(LatencySum.NONE, LatencySum::plus)
                .meanMillis();
    }

    /** Returns the mean time from a spout's emit to the ack of the message, in milliseconds. */
    double completeMillis() {
        return complete().meanMillis();
    }

    LatencySum complete() {
        return streams.outputs().stream().map(OutputSnapshot::complete).reduce(LatencySum.NONE, LatencySum::plus);
    }
}
