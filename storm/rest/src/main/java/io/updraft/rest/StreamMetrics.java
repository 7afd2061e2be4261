package io.updraft.rest;

import io.updraft.rest.view.StreamStatistics;
import io.updraft.rest.view.TopologyExecutors;
import io.updraft.rest.view.UiText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.thrift.TException;

/** The counts of a topology's components by stream. */
final class StreamMetrics {
    private StreamMetrics() {}

    static List<RestRoute> routes() {
        return List.of(RestRoute.get("topology/{id}/metrics", StreamMetrics::metrics));
    }

    private static Map<String, Object> metrics(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        String window = call.window();
        boolean system = call.system();
        TopologyExecutors topology = TopologyExecutors.of(nimbus, call.topology(), system);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("window", window);
        answer.put("windowHint", UiText.windowHint(window));
        // The document's table has the name above, its example this one.
        answer.put("window-hint", UiText.windowHint(window));
        answer.put("spouts", components(topology.spouts(), window, system, StreamMetrics::putSpout));
        answer.put("bolts", components(topology.bolts(), window, system, StreamMetrics::putBolt));
        return answer;
    }

    private static List<Map<String, Object>> components(
            Map<String, TopologyExecutors.Component> components,
            String window,
            boolean system,
            BiConsumer<Map<String, Object>, StreamStatistics> putSpecific) {
        List<Map<String, Object>> answers = new ArrayList<>();
        components.forEach((id, component) -> {
            StreamStatistics statistics = component.statistics(window, system);
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("id", id);
            answer.put("emitted", streams(statistics.emitted()));
            answer.put("transferred", streams(statistics.transferred()));
            putSpecific.accept(answer, statistics);
            answers.add(answer);
        });
        return answers;
    }

    private static void putSpout(Map<String, Object> answer, StreamStatistics statistics) {
        answer.put("acked", streams(statistics.spoutSum(SpoutStats::get_acked)));
        answer.put("failed", streams(statistics.spoutSum(SpoutStats::get_failed)));
        answer.put("complete_ms_avg", streams(statistics.completeLatency()));
    }

    private static void putBolt(Map<String, Object> answer, StreamStatistics statistics) {
        answer.put("acked", inputs(statistics.boltSum(BoltStats::get_acked)));
        answer.put("failed", inputs(statistics.boltSum(BoltStats::get_failed)));
        answer.put("process_ms_avg", inputs(statistics.processLatency()));
        answer.put("executed", inputs(statistics.boltSum(BoltStats::get_executed)));
        answer.put("executed_ms_avg", inputs(statistics.executeLatency()));
    }

    private static List<Map<String, Object>> streams(SortedMap<String, ? extends Number> values) {
        List<Map<String, Object>> answers = new ArrayList<>();
        values.forEach((stream, value) -> {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("stream_id", stream);
            answer.put("value", value(value));
            answers.add(answer);
        });
        return answers;
    }

    private static List<Map<String, Object>> inputs(SortedMap<GlobalStreamId, ? extends Number> values) {
        List<Map<String, Object>> answers = new ArrayList<>();
        values.forEach((stream, value) -> {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("component_id", stream.get_componentId());
            answer.put("stream_id", stream.get_streamId());
            answer.put("value", value(value));
            answers.add(answer);
        });
        return answers;
    }

    private static Object value(Number value) {
        return value instanceof Double latency ? UiText.decimal(latency) : value;
    }
}
