package io.updraft.rest;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.utils.Utils;

/**
 * The counts of a component's executors in one time window, by stream: counts are summed, latencies are means weighted by the
 * tuples that they are of.
 *
 * @param executors the counts of each executor
 * @param window the time window
 * @param system whether Storm's own streams are included
 */
record StreamStatistics(List<ExecutorStats> executors, String window, boolean system) {
    public SortedMap<String, Long> emitted() {
        return sum(ExecutorStats::get_emitted);
    }

    public SortedMap<String, Long> transferred() {
        return sum(ExecutorStats::get_transferred);
    }

    public SortedMap<String, Long> spoutSum(Function<SpoutStats, Map<String, Map<String, Long>>> counts) {
        return sum(stats -> counts.apply(stats.get_specific().get_spout()));
    }

    public SortedMap<String, Double> completeLatency() {
        return mean(
                stats -> stats.get_specific().get_spout().get_complete_ms_avg(),
                stats -> stats.get_specific().get_spout().get_acked());
    }

    public SortedMap<GlobalStreamId, Long> boltSum(Function<BoltStats, Map<String, Map<GlobalStreamId, Long>>> counts) {
        return sum(stats -> counts.apply(stats.get_specific().get_bolt()));
    }

    public SortedMap<GlobalStreamId, Double> processLatency() {
        return mean(
                stats -> stats.get_specific().get_bolt().get_process_ms_avg(),
                stats -> stats.get_specific().get_bolt().get_acked());
    }

    public SortedMap<GlobalStreamId, Double> executeLatency() {
        return mean(
                stats -> stats.get_specific().get_bolt().get_execute_ms_avg(),
                stats -> stats.get_specific().get_bolt().get_executed());
    }

    /** {@return the mean over all streams, weighted by their counts; 0 without counts} */
    public static <K> double mean(Map<K, Double> means, Map<K, Long> counts) {
        double total = 0;
        long weight = 0;
        for (Map.Entry<K, Double> mean : means.entrySet()) {
            long count = counts.getOrDefault(mean.getKey(), 0L);
            total += mean.getValue() * count;
            weight += count;
        }
        return weight == 0 ? 0 : total / weight;
    }

    private <K> SortedMap<K, Long> sum(Function<ExecutorStats, Map<String, Map<K, Long>>> counts) {
        SortedMap<K, Long> sums = new TreeMap<>();
        for (ExecutorStats executor : executors) {
            counts.apply(executor).getOrDefault(window, Map.of()).forEach((stream, count) -> {
                if (isIncluded(stream)) {
                    sums.merge(stream, count, Long::sum);
                }
            });
        }
        return sums;
    }

    private <K> SortedMap<K, Double> mean(
            Function<ExecutorStats, Map<String, Map<K, Double>>> means,
            Function<ExecutorStats, Map<String, Map<K, Long>>> counts) {
        SortedMap<K, Double> totals = new TreeMap<>();
        for (ExecutorStats executor : executors) {
            Map<K, Long> weights = counts.apply(executor).getOrDefault(window, Map.of());
            means.apply(executor).getOrDefault(window, Map.of()).forEach((stream, mean) -> {
                if (isIncluded(stream)) {
                    totals.merge(stream, mean * weights.getOrDefault(stream, 0L), Double::sum);
                }
            });
        }
        Map<K, Long> weights = sum(counts);
        totals.replaceAll((stream, total) -> {
            long weight = weights.getOrDefault(stream, 0L);
            return weight == 0 ? 0 : total / weight;
        });
        return totals;
    }

    private boolean isIncluded(Object stream) {
        String name = stream instanceof GlobalStreamId input ? input.get_streamId() : stream.toString();
        return system || !Utils.isSystemId(name);
    }
}
