package io.updraft.storm;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.OutputSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;

/** The counts of one executor as Storm's Thrift structures: by time window, then by stream. Latencies are means. */
record ExecutorStatistics(Map<String, WindowCounts> windows) {

    static ExecutorStats of(boolean spout, Map<String, WindowCounts> windows) {
        ExecutorStatistics counts = new ExecutorStatistics(windows);
        return new ExecutorStats(
                counts.byOutput(OutputSnapshot::emitted),
                counts.byOutput(OutputSnapshot::transferred),
                spout ? ExecutorSpecificStats.spout(counts.spout()) : ExecutorSpecificStats.bolt(counts.bolt()),
                1.0);
    }

    static ExecutorStats none(Set<String> windows) {
        return of(false, windows.stream().collect(Collectors.toMap(window -> window, window -> WindowCounts.NONE)));
    }

    /** Selects the counts of one executor from those of all components, by window. */
    static Map<String, WindowCounts> byWindow(
            ComponentPlan component, ExecutorPlan executor, Map<String, List<WindowCounts>> windows) {
        Map<String, WindowCounts> counts = new HashMap<>();
        windows.forEach(
                (window, all) -> counts.put(window, all.get(component.index()).ofExecutor(executor)));
        return counts;
    }

    private SpoutStats spout() {
        return new SpoutStats(
                byOutput(OutputSnapshot::acked),
                byOutput(OutputSnapshot::failed),
                byOutput(output -> output.complete().meanMillis()));
    }

    private BoltStats bolt() {
        return new BoltStats(
                byInput(InputSnapshot::acked),
                byInput(InputSnapshot::failed),
                byInput(input -> input.process().meanMillis()),
                byInput(InputSnapshot::executed),
                by(WindowCounts::inputs, ExecutorStatistics::idOf, WindowCounts::executeMillis));
    }

    private <V> Map<String, Map<String, V>> byOutput(Function<OutputSnapshot, V> value) {
        return by(counts -> counts.outputs(true), OutputSnapshot::stream, (counts, output) -> value.apply(output));
    }

    private <V> Map<String, Map<GlobalStreamId, V>> byInput(Function<InputSnapshot, V> value) {
        return by(WindowCounts::inputs, ExecutorStatistics::idOf, (counts, input) -> value.apply(input));
    }

    private <T, S, V> Map<String, Map<S, V>> by(
            Function<WindowCounts, List<T>> streams, Function<T, S> key, BiFunction<WindowCounts, T, V> value) {
        Map<String, Map<S, V>> byWindow = new HashMap<>();
        windows.forEach((window, counts) -> {
            Map<S, V> byStream = new HashMap<>();
            streams.apply(counts).forEach(each -> byStream.put(key.apply(each), value.apply(counts, each)));
            byWindow.put(window, byStream);
        });
        return byWindow;
    }

    static GlobalStreamId idOf(InputSnapshot input) {
        return new GlobalStreamId(input.component(), input.stream());
    }
}
