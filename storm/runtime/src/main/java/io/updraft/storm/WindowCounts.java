package io.updraft.storm;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.LatencySum;
import io.updraft.engine.snapshot.OutputSnapshot;
import io.updraft.engine.snapshot.StreamsSnapshot;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.storm.utils.Utils;

/**
 * The counts of one component or executor since some moment; for a component also those of its executors, keyed by their first
 * task.
 */
record WindowCounts(ExecutorSnapshot sum, Map<Integer, WindowCounts> executors) {
    static final WindowCounts NONE = of(new ExecutorSnapshot(0, 0, 0, 0, 0, 0, 0, 0, StreamsSnapshot.NONE));

    private static final OutputSnapshot NOTHING = new OutputSnapshot("", 0, 0, 0, 0, LatencySum.NONE);

    static WindowCounts of(ComponentSnapshot component) {
        ExecutorSnapshot sum = new ExecutorSnapshot(
                0,
                component.emitted(),
                component.transferred(),
                component.executed(),
                component.acked(),
                component.failed(),
                component.busyNanos(),
                component.waitNanos(),
                component.streams());
        return new WindowCounts(
                sum,
                component.byExecutor().stream()
                        .collect(Collectors.toMap(ExecutorSnapshot::firstTask, WindowCounts::of)));
    }

    private static WindowCounts of(ExecutorSnapshot executor) {
        return new WindowCounts(executor, Map.of());
    }

    /**
     * Returns the counts of one of the component's executors. Counts from before a rebalance go to the executor that now has
     * the first task of the old executor, so that sums over a component are exact.
     */
    WindowCounts ofExecutor(ExecutorPlan executor) {
        WindowCounts zeros = new WindowCounts(since(sum), Map.of());
        return Arrays.stream(executor.taskIds())
                .mapToObj(executors::get)
                .filter(Objects::nonNull)
                .reduce(zeros, WindowCounts::plus);
    }

    private WindowCounts plus(WindowCounts other) {
        return new WindowCounts(sum.plus(other.sum), Map.of());
    }

    WindowCounts since(WindowCounts before) {
        return new WindowCounts(since(before.sum), since(executors, before.executors));
    }

    private ExecutorSnapshot since(ExecutorSnapshot before) {
        return new ExecutorSnapshot(
                sum.firstTask(),
                sum.emitted() - before.emitted(),
                sum.transferred() - before.transferred(),
                sum.executed() - before.executed(),
                sum.acked() - before.acked(),
                sum.failed() - before.failed(),
                sum.busyNanos() - before.busyNanos(),
                sum.waitNanos() - before.waitNanos(),
                sum.streams().since(before.streams()));
    }

    private static Map<Integer, WindowCounts> since(Map<Integer, WindowCounts> now, Map<Integer, WindowCounts> before) {
        Map<Integer, WindowCounts> difference = new HashMap<>();
        now.forEach((task, counts) ->
                difference.put(task, before.containsKey(task) ? counts.since(before.get(task)) : counts));
        return difference;
    }

    /** Returns the streams that a component emits on; of system streams, only those that have emitted anything. */
    List<OutputSnapshot> outputs(boolean withSystem) {
        return sum.streams().outputs().stream()
                .filter(output -> !Utils.isSystemId(output.stream()) || withSystem && output.emitted() > 0)
                .toList();
    }

    /** Returns the input streams of a bolt, and the tick stream if the bolt has executed ticks. */
    List<InputSnapshot> inputs() {
        return sum.streams().inputs().stream()
                .filter(input -> !Utils.isSystemId(input.stream()) || input.executed() > 0)
                .toList();
    }

    /** Returns the sums of emitted and transferred tuples, with or without system streams. */
    OutputSnapshot output(boolean withSystem) {
        return outputs(withSystem).stream().reduce(NOTHING, OutputSnapshot::plus);
    }

    /**
     * Returns the mean time in {@code execute} of the tuples of one input, in milliseconds. For a bolt with several inputs the
     * samples are first tuples of turns, which take longer than the others. They are scaled down to the exact time of all inputs.
     */
    double executeMillis(InputSnapshot input) {
        double sampled = sum.streams().inputs().stream()
                .mapToDouble(each -> each.executed() * each.execute().meanMillis())
                .sum();
        double exact = sum.busyNanos() / 1e6;
        return input.execute().meanMillis() * (sampled > exact ? exact / sampled : 1);
    }

    double executeMillis() {
        return sum.executed() == 0 ? 0 : sum.busyNanos() / 1e6 / sum.executed();
    }

    /** Returns the mean time from the beginning of an execute to the ack, in milliseconds. */
    double processMillis() {
        return sum.streams().inputs().stream()
                .map(InputSnapshot::process)
                .reduce(LatencySum.NONE, LatencySum::plus)
                .meanMillis();
    }

    /** Returns the mean time from a spout's emit to the ack of the message, in milliseconds. */
    double completeMillis() {
        return sum.streams().outputs().stream()
                .map(OutputSnapshot::complete)
                .reduce(LatencySum.NONE, LatencySum::plus)
                .meanMillis();
    }
}
