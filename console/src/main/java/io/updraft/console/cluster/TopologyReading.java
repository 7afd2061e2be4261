package io.updraft.console.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.storm.Config;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * What Nimbus knows of a topology at a moment.
 *
 * @param millis when it was read, milliseconds since 1970
 * @param nanos when it was read, {@link System#nanoTime()}
 * @param page the workers and the scheduler's state
 * @param info the executors and their statistics
 */
record TopologyReading(long millis, long nanos, TopologyPageInfo page, TopologyInfo info) {

    private static final int DEFAULT_REPORT_SECONDS = 60;

    /**
     * A subscription of a bolt to a stream.
     *
     * @param source the component that emits
     */
    record Edge(String source, String stream, String target) {}

    String topologyId() {
        return info.get_id();
    }

    /** {@return the executors of each component, without system components} */
    Map<String, List<ExecutorSummary>> executors() {
        Map<String, List<ExecutorSummary>> components = new TreeMap<>();
        for (ExecutorSummary executor : info.get_executors()) {
            if (!Utils.isSystemId(executor.get_component_id())) {
                components
                        .computeIfAbsent(executor.get_component_id(), added -> new ArrayList<>())
                        .add(executor);
            }
        }
        return components;
    }

    boolean isSpout(String component) {
        return page.get_id_to_spout_agg_stats() != null
                        && page.get_id_to_spout_agg_stats().containsKey(component)
                || executors().getOrDefault(component, List.of()).stream()
                        .anyMatch(each -> each.get_stats() != null
                                && each.get_stats().get_specific().is_set_spout());
    }

    /** {@return the counts of each component (by id), executor (by its first task), and {@link Edge}} */
    Map<Object, StreamCounts> counts() {
        return counts(StreamCounts.ALL_TIME, executor -> 1);
    }

    /** {@return how often workers report their counts, seconds} */
    int reportSeconds() {
        Object seconds = ClusterRemarks.conf(this).get(Config.EXECUTOR_METRICS_FREQUENCY_SECS);
        return Math.max(1, ObjectReader.getInt(seconds, DEFAULT_REPORT_SECONDS));
    }

    /** {@return the rates in the window of ten minutes, by the keys of {@link #counts()}} */
    Map<Object, StreamCounts> ratesOfTenMinutes() {
        return counts(StreamCounts.TEN_MINUTES, executor -> {
            double seconds = windowSeconds(executor);
            return seconds == 0 ? 0 : 1 / seconds;
        });
    }

    private Map<Object, StreamCounts> counts(String window, ToDoubleFunction<ExecutorSummary> factor) {
        Map<Object, StreamCounts> counts = new LinkedHashMap<>();
        executors().forEach((component, executors) -> {
            for (ExecutorSummary executor : executors) {
                double times = factor.applyAsDouble(executor);
                StreamCounts counted =
                        StreamCounts.of(executor.get_stats(), window).times(times);
                counts.merge(component, counted, StreamCounts::plus);
                counts.put(executor.get_executor_info().get_task_start(), counted);
                StreamCounts.executed(executor.get_stats(), window)
                        .forEach((source, executed) -> addEdge(source, component, executed * times, counts));
            }
        });
        return counts;
    }

    private static void addEdge(
            GlobalStreamId source, String target, double executed, Map<Object, StreamCounts> counts) {
        if (!Utils.isSystemId(source.get_componentId()) && !Utils.isSystemId(source.get_streamId())) {
            counts.merge(
                    new Edge(source.get_componentId(), source.get_streamId(), target),
                    new StreamCounts(0, executed, 0, 0, 0, 0),
                    StreamCounts::plus);
        }
    }

    /** {@return the share of the last ten minutes that an executor of a bolt was busy, as Storm computes it; null for a spout} */
    static Double capacity(ExecutorSummary executor) {
        if (executor.get_stats() == null || executor.get_stats().get_specific().is_set_spout()) {
            return null;
        }
        double seconds = windowSeconds(executor);
        double millis =
                StreamCounts.of(executor.get_stats(), StreamCounts.TEN_MINUTES).executeMillis();
        return seconds == 0 ? null : millis / 1e3 / seconds;
    }

    /** Returns the length of the window of ten minutes, which begins with the executor, in seconds. */
    static double windowSeconds(ExecutorSummary executor) {
        return Math.min(StreamCounts.TEN_MINUTES_SECONDS, executor.get_uptime_secs());
    }
}
