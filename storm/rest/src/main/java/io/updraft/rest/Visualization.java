package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
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
    private static JsonObject init(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        call.window();
        TopologyExecutors topology = TopologyExecutors.of(nimbus, call.topology(), call.system());
        List<JsonObject> streams = Stream.concat(
                        topology.spouts().values().stream(), topology.bolts().values().stream())
                .flatMap(component -> component.common().get_inputs().keySet().stream())
                .map(GlobalStreamId::get_streamId)
                .distinct()
                .map(Visualization::stream)
                .toList();
        List<List<JsonObject>> rows = new ArrayList<>();
        for (int i = 0; i < streams.size(); i += STREAMS_OF_A_ROW) {
            rows.add(streams.subList(i, Math.min(i + STREAMS_OF_A_ROW, streams.size())));
        }
        return JsonObject.of("visualizationTable", rows);
    }

    private static JsonObject stream(String stream) {
        return JsonObject.of("stream", stream)
                .with("sani-stream", sanitized(stream))
                .with("checked", !Utils.isSystemId(stream));
    }

    /** {@return a stream's name with letters, dots, hyphens and underscores only; it begins with a letter or an underscore} */
    static String sanitized(String stream) {
        String safe = stream.replaceAll("[^A-Za-z_.-]", "_");
        return !stream.isEmpty() && Character.isLetter(stream.charAt(0)) ? safe : "_s" + safe;
    }

    private static JsonObject components(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        String window = call.window();
        boolean system = call.system();
        TopologyExecutors topology = TopologyExecutors.of(nimbus, call.topology(), system);
        JsonObject answer = new JsonObject();
        topology.spouts().forEach((id, spout) -> {
            StreamStatistics statistics = spout.statistics(window, system);
            JsonObject members = component("spout", 0, spout, statistics);
            members.put(
                    ":latency",
                    StreamStatistics.mean(statistics.completeLatency(), statistics.spoutSum(SpoutStats::get_acked)));
            members.put(":link", link(id, call.topology()));
            answer.put(id, members);
        });
        topology.bolts().forEach((id, bolt) -> {
            StreamStatistics statistics = bolt.statistics(window, system);
            JsonObject members = component("bolt", capacity(bolt.executors()), bolt, statistics);
            members.put(
                    ":latency",
                    StreamStatistics.mean(statistics.processLatency(), statistics.boltSum(BoltStats::get_acked)));
            members.put(":link", link(id, call.topology()));
            answer.put(id, members);
        });
        return answer;
    }

    private static JsonObject component(
            String type, Number capacity, TopologyExecutors.Component component, StreamStatistics statistics) {
        return JsonObject.of(":type", type)
                .with(":capacity", capacity)
                .with(
                        ":transferred",
                        statistics.transferred().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .with(
                        ":stats",
                        component.executors().stream()
                                .map(executor -> executor(executor, statistics.system()))
                                .toList())
                .with(
                        ":inputs",
                        component.common().get_inputs().entrySet().stream()
                                .map(input -> input(input.getKey(), input.getValue()))
                                .toList());
    }

    private static String link(String component, String topology) {
        return "/component.html?id=" + Utils.urlEncodeUtf8(component) + "&topology_id=" + Utils.urlEncodeUtf8(topology);
    }

    private static JsonObject executor(ExecutorSummary executor, boolean system) {
        return JsonObject.of(":host", executor.get_host())
                .with(":port", executor.get_port())
                .with(":uptime_secs", executor.get_uptime_secs())
                .with(":transferred", executor.is_set_stats() ? transferred(executor, system) : null);
    }

    private static JsonObject transferred(ExecutorSummary executor, boolean system) {
        JsonObject windows = new JsonObject();
        new TreeMap<>(executor.get_stats().get_transferred()).forEach((window, streams) -> {
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

    private static JsonObject input(GlobalStreamId stream, Grouping grouping) {
        return JsonObject.of(":component", stream.get_componentId())
                .with(":stream", stream.get_streamId())
                .with(":sani-stream", sanitized(stream.get_streamId()))
                .with(":grouping", grouping.getSetField().getFieldName());
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
