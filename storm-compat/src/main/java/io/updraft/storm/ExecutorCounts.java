package io.updraft.storm;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.storm.CountHistory.Counts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.utils.Utils;

/**
 * Counts of one executor as Storm's thrift structures: by time window, then by stream.
 *
 * <p>Counts of a component with several streams are not kept apart: they appear under the stream {@value #ALL}. A bolt's
 * execute latency is the mean; a spout's complete latency is the median since the start, for no mean is kept; process
 * latency is not measured and left out.
 */
final class ExecutorCounts {

    /** The stream name for counts over all streams of a component that has several. */
    static final String ALL = "*";

    private final ComponentPlan component;
    private final Map<String, Counts> windows;
    private final double completeMillis;

    private ExecutorCounts(ComponentPlan component, Map<String, Counts> windows, double completeMillis) {
        this.component = component;
        this.windows = windows;
        this.completeMillis = completeMillis;
    }

    /**
     * Makes the statistics of one executor.
     *
     * @param component its component
     * @param windows its counts by window
     * @param completeMillis its complete latency, milliseconds; 0 for a bolt
     */
    static ExecutorStats of(ComponentPlan component, Map<String, Counts> windows, double completeMillis) {
        return new ExecutorCounts(component, windows, completeMillis).stats();
    }

    private ExecutorStats stats() {
        return new ExecutorStats(
                by(outputStream(), Counts::emitted), by(outputStream(), Counts::transferred), specific(), 1.0);
    }

    private ExecutorSpecificStats specific() {
        return component.spout() ? ExecutorSpecificStats.spout(spout()) : ExecutorSpecificStats.bolt(bolt());
    }

    private SpoutStats spout() {
        String stream = outputStream();
        return new SpoutStats(
                by(stream, Counts::acked), by(stream, Counts::failed), by(stream, counts -> completeMillis));
    }

    private BoltStats bolt() {
        GlobalStreamId stream = inputStream(component);
        return new BoltStats(
                by(stream, Counts::acked),
                by(stream, Counts::failed),
                new HashMap<>(),
                by(stream, Counts::executed),
                by(stream, Counts::executeMillis));
    }

    private <S, V> Map<String, Map<S, V>> by(S stream, Function<Counts, V> value) {
        Map<String, Map<S, V>> byWindow = new HashMap<>();
        windows.forEach((window, counts) -> {
            Map<S, V> byStream = new HashMap<>();
            byStream.put(stream, value.apply(counts));
            byWindow.put(window, byStream);
        });
        return byWindow;
    }

    private String outputStream() {
        return outputStream(component);
    }

    /** The stream under which what a component emits is counted. */
    static String outputStream(ComponentPlan component) {
        List<String> declared = component.outputs().stream()
                .map(StreamPlan::streamId)
                .filter(stream -> !Utils.isSystemId(stream))
                .toList();
        return switch (declared.size()) {
            case 0 -> Utils.DEFAULT_STREAM_ID;
            case 1 -> declared.get(0);
            default -> ALL;
        };
    }

    /** The stream under which what a bolt takes in is counted. */
    static GlobalStreamId inputStream(ComponentPlan component) {
        return component.inputs().size() == 1
                ? component.inputs().keySet().iterator().next()
                : new GlobalStreamId(ALL, ALL);
    }
}
