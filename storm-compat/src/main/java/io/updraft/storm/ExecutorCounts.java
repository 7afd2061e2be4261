package io.updraft.storm;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.utils.Utils;

/**
 * Counts of one executor as Storm's thrift structures: by time window, then by stream.
 *
 * <p>The engine counts since the start. A window of Storm's that is not over yet holds the same, and is given; a window
 * that the topology has outlived is left out. Counts of a component with several streams are not kept apart: they appear
 * under the stream {@value #ALL}. A bolt's execute latency is the mean; a spout's complete latency is the median, for no
 * mean is kept; process latency is not measured and left out.
 */
final class ExecutorCounts {

    /** The stream name for counts over all streams of a component that has several. */
    static final String ALL = "*";

    private static final String ALL_TIME = ":all-time";
    private static final int[] WINDOW_SECS = {600, 10_800, 86_400};

    private final ComponentPlan component;
    private final List<String> windows;
    private final boolean carries;

    private ExecutorCounts(ComponentPlan component, List<String> windows, boolean carries) {
        this.component = component;
        this.windows = windows;
        this.carries = carries;
    }

    /**
     * Makes the statistics of one executor.
     *
     * @param component its component
     * @param counts the component's counts
     * @param carries whether this executor carries the counts of its component; if not, they are zero
     * @param uptimeNanos the topology's age, nanoseconds
     */
    static ExecutorStats of(ComponentPlan component, ComponentSnapshot counts, boolean carries, long uptimeNanos) {
        return new ExecutorCounts(component, windowsAt(uptimeNanos), carries).stats(counts);
    }

    private ExecutorStats stats(ComponentSnapshot counts) {
        return new ExecutorStats(
                perOutput(count(counts.emitted())), perOutput(count(counts.transferred())), specific(counts), 1.0);
    }

    private ExecutorSpecificStats specific(ComponentSnapshot counts) {
        return component.spout()
                ? ExecutorSpecificStats.spout(spout(counts))
                : ExecutorSpecificStats.bolt(bolt(counts));
    }

    private SpoutStats spout(ComponentSnapshot counts) {
        long medianNanos = counts.completeLatency().totalP50Nanos();
        return new SpoutStats(
                perOutput(count(counts.acked())), perOutput(count(counts.failed())), perOutput(millis(medianNanos, 1)));
    }

    private BoltStats bolt(ComponentSnapshot counts) {
        return new BoltStats(
                perInput(count(counts.acked())),
                perInput(count(counts.failed())),
                new HashMap<>(),
                perInput(count(counts.executed())),
                perInput(millis(counts.busyNanos(), counts.executed())));
    }

    private long count(long value) {
        return carries ? value : 0;
    }

    private double millis(long nanos, long among) {
        return carries && among > 0 ? nanos / 1e6 / among : 0;
    }

    private <V> Map<String, Map<String, V>> perOutput(V value) {
        return by(outputStream(), value);
    }

    private <V> Map<String, Map<GlobalStreamId, V>> perInput(V value) {
        return by(inputStream(), value);
    }

    private <S, V> Map<String, Map<S, V>> by(S stream, V value) {
        Map<String, Map<S, V>> byWindow = new HashMap<>();
        for (String window : windows) {
            Map<S, V> byStream = new HashMap<>();
            byStream.put(stream, value);
            byWindow.put(window, byStream);
        }
        return byWindow;
    }

    private String outputStream() {
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

    private GlobalStreamId inputStream() {
        return component.inputs().size() == 1
                ? component.inputs().keySet().iterator().next()
                : new GlobalStreamId(ALL, ALL);
    }

    private static List<String> windowsAt(long uptimeNanos) {
        List<String> windows = new ArrayList<>(List.of(ALL_TIME));
        for (int seconds : WINDOW_SECS) {
            if (uptimeNanos <= TimeUnit.SECONDS.toNanos(seconds)) {
                windows.add(String.valueOf(seconds));
            }
        }
        return windows;
    }
}
