package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
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

    private static JsonObject metrics(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        String window = call.window();
        boolean system = call.system();
        TopologyExecutors topology = TopologyExecutors.of(nimbus, call.topology(), system);
        JsonObject answer = JsonObject.of("window", window).with("windowHint", UiText.windowHint(window));
        // The document's table has the name above, its example this one.
        answer.put("window-hint", UiText.windowHint(window));
        answer.put("spouts", components(topology.spouts(), window, system, StreamMetrics::putSpout));
        answer.put("bolts", components(topology.bolts(), window, system, StreamMetrics::putBolt));
        return answer;
    }

    private static List<JsonObject> components(
            Map<String, TopologyExecutors.Component> components,
            String window,
            boolean system,
            BiConsumer<JsonObject, StreamStatistics> putSpecific) {
        List<JsonObject> answers = new ArrayList<>();
        components.forEach((id, component) -> {
            StreamStatistics statistics = component.statistics(window, system);
            JsonObject answer = JsonObject.of("id", id)
                    .with("emitted", streams(statistics.emitted()))
                    .with("transferred", streams(statistics.transferred()));
            putSpecific.accept(answer, statistics);
            answers.add(answer);
        });
        return answers;
    }

    private static void putSpout(JsonObject answer, StreamStatistics statistics) {
        answer.put("acked", streams(statistics.spoutSum(SpoutStats::get_acked)));
        answer.put("failed", streams(statistics.spoutSum(SpoutStats::get_failed)));
        answer.put("complete_ms_avg", streams(statistics.completeLatency()));
    }

    private static void putBolt(JsonObject answer, StreamStatistics statistics) {
        answer.put("acked", inputs(statistics.boltSum(BoltStats::get_acked)));
        answer.put("failed", inputs(statistics.boltSum(BoltStats::get_failed)));
        answer.put("process_ms_avg", inputs(statistics.processLatency()));
        answer.put("executed", inputs(statistics.boltSum(BoltStats::get_executed)));
        answer.put("executed_ms_avg", inputs(statistics.executeLatency()));
    }

    private static List<JsonObject> streams(SortedMap<String, ? extends Number> values) {
        List<JsonObject> answers = new ArrayList<>();
        values.forEach((stream, value) -> {
            JsonObject answer = JsonObject.of("stream_id", stream).with("value", value(value));
            answers.add(answer);
        });
        return answers;
    }

    private static List<JsonObject> inputs(SortedMap<GlobalStreamId, ? extends Number> values) {
        List<JsonObject> answers = new ArrayList<>();
        values.forEach((stream, value) -> {
            JsonObject answer = JsonObject.of("component_id", stream.get_componentId())
                    .with("stream_id", stream.get_streamId())
                    .with("value", value(value));
            answers.add(answer);
        });
        return answers;
    }

    private static Object value(Number value) {
        return value instanceof Double latency ? UiText.decimal(latency) : value;
    }
}
