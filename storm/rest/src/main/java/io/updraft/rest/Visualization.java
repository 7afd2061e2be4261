package io.updraft.rest;

import io.updraft.rest.view.StreamStatistics;
import io.updraft.rest.view.TopologyExecutors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/** The graph of a topology, for a drawing. Names of members begin with a colon. */
final class Visualization {
    private static final int STREAMS_OF_A_ROW = 4;
    private static final int CAPACITY_WINDOW_SECS = 600;

    private Visualization() {}

    static List<RestRoute> routes() {
        return List.of(
                RestRoute.get("topology/{id}/visualization-init", Visualization::init),
                RestRoute.get("topology/{id}/visualization", Visualization::components));
    }

    /** {@return the streams to choose from, in rows of four} */
    private static Map<String, Object> init(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        call.window();
        TopologyExecutors topology = TopologyExecutors.of(nimbus, call.topology(), call.system());
        List<Map<String, Object>> streams = Stream.concat(
                        topology.spouts().values().stream(), topology.bolts().values().stream())
                .flatMap(component -> component.common().get_inputs().keySet().stream())
                .map(GlobalStreamId::get_streamId)
                .distinct()
                .map(Visualization::stream)
                .toList();
        List<List<Map<String, Object>>> rows = new ArrayList<>();
        for (int i = 0; i < streams.size(); i += STREAMS_OF_A_ROW) {
            rows.add(streams.subList(i, Math.min(i + STREAMS_OF_A_ROW, streams.size())));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("visualizationTable", rows);
        return answer;
    }

    private static Map<String, Object> stream(String stream) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("stream", stream);
        answer.put("sani-stream", sanitized(stream));
        answer.put("checked", !Utils.isSystemId(stream));
        return answer;
    }

    /** {@return a stream's name with letters, dots, hyphens and underscores only; it begins with a letter or an underscore} */
    static String sanitized(String stream) {
        String safe = stream.replaceAll("[^A-Za-z_.-]", "_");
        return !stream.isEmpty() && Character.isLetter(stream.charAt(0)) ? safe : "_s" + safe;
    }

    private static Map<String, Object> components(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        String window = call.window();
        boolean system = call.system();
        TopologyExecutors topology = TopologyExecutors.of(nimbus, call.topology(), system);
        Map<String, Object> answer = new LinkedHashMap<>();
        topology.spouts().forEach((id, spout) -> {
            StreamStatistics statistics = spout.statistics(window, system);
            Map<String, Object> members = component("spout", 0, spout, statistics);
            members.put(
                    ":latency",
                    StreamStatistics.mean(statistics.completeLatency(), statistics.spoutSum(SpoutStats::get_acked)));
            members.put(":link", link(id, call.topology()));
            answer.put(id, members);
        });
        topology.bolts().forEach((id, bolt) -> {
            StreamStatistics statistics = bolt.statistics(window, system);
            Map<String, Object> members = component("bolt", capacity(bolt.executors()), bolt, statistics);
            members.put(
                    ":latency",
                    StreamStatistics.mean(statistics.processLatency(), statistics.boltSum(BoltStats::get_acked)));
            members.put(":link", link(id, call.topology()));
            answer.put(id, members);
        });
        return answer;
    }

    private static Map<String, Object> component(
            String type, Number capacity, TopologyExecutors.Component component, StreamStatistics statistics) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(":type", type);
        members.put(":capacity", capacity);
        members.put(
                ":transferred",
                statistics.transferred().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
        members.put(
                ":stats",
                component.executors().stream()
                        .map(executor -> executor(executor, statistics.system()))
                        .toList());
        members.put(
                ":inputs",
                component.common().get_inputs().entrySet().stream()
                        .map(input -> input(input.getKey(), input.getValue()))
                        .toList());
        return members;
    }

    private static String link(String component, String topology) {
        return "/component.html?id=" + Utils.urlEncodeUtf8(component) + "&topology_id=" + Utils.urlEncodeUtf8(topology);
    }

    private static Map<String, Object> executor(ExecutorSummary executor, boolean system) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(":host", executor.get_host());
        answer.put(":port", executor.get_port());
        answer.put(":uptime_secs", executor.get_uptime_secs());
        answer.put(":transferred", executor.is_set_stats() ? transferred(executor, system) : null);
        return answer;
    }

    private static Map<String, Object> transferred(ExecutorSummary executor, boolean system) {
        Map<String, Object> windows = new TreeMap<>();
        executor.get_stats().get_transferred().forEach((window, streams) -> {
            Map<String, Long> counts = new TreeMap<>();
            streams.forEach((stream, count) -> {
                if (system || !Utils.isSystemId(stream)) {
                    // Two names can become the same.
                    counts.merge(sanitized(stream), count, Long::sum);
                }
            });
            windows.put(window, counts);
        });
        return windows;
    }

    private static Map<String, Object> input(GlobalStreamId stream, Grouping grouping) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(":component", stream.get_componentId());
        answer.put(":stream", stream.get_streamId());
        answer.put(":sani-stream", sanitized(stream.get_streamId()));
        answer.put(":grouping", grouping.getSetField().getFieldName());
        return answer;
    }

    /** {@return the share of the last ten minutes that the busiest executor spent in its bolt} */
    private static double capacity(List<ExecutorSummary> executors) {
        return executors.stream()
                .filter(ExecutorSummary::is_set_stats)
                .mapToDouble(Visualization::capacity)
                .max()
                .orElse(0);
    }

    private static double capacity(ExecutorSummary executor) {
        int seconds = Math.min(executor.get_uptime_secs(), CAPACITY_WINDOW_SECS);
        if (seconds <= 0) {
            return 0;
        }
        StreamStatistics statistics =
                new StreamStatistics(List.of(executor.get_stats()), Integer.toString(CAPACITY_WINDOW_SECS), true);
        Map<GlobalStreamId, Long> executed = statistics.boltSum(BoltStats::get_executed);
        double busyMillis = StreamStatistics.mean(statistics.executeLatency(), executed)
                * executed.values().stream().mapToLong(Long::longValue).sum();
        return busyMillis / (1000.0 * seconds);
    }
}
