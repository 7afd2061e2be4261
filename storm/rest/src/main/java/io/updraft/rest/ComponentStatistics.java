package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorAggregateStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.utils.Utils;

/**
 * The counts of a component: by window, by stream and by executor.
 *
 * @param conf makes the links to logs
 */
record ComponentStatistics(UiConf conf) {
    public void putSpout(JsonObject answer, ComponentPageInfo page, String topology) {
        answer.put(
                "spoutSummary",
                answers(page.get_window_to_stats(), UiText::compareWindows, ComponentStatistics::spoutWindow));
        answer.put(
                "outputStats", answers(page.get_sid_to_output_stats(), Comparator.naturalOrder(), (stream, stats) -> {
                    JsonObject output = output(stream, stats);
                    putSpout(output, stats);
                    return output;
                }));
        answer.put("executorStats", executors(page, topology));
    }

    public void putBolt(JsonObject answer, ComponentPageInfo page, String topology) {
        answer.put(
                "boltStats",
                answers(page.get_window_to_stats(), UiText::compareWindows, ComponentStatistics::boltWindow));
        answer.put(
                "inputStats",
                answers(page.get_gsid_to_input_stats(), Comparator.naturalOrder(), ComponentStatistics::input));
        answer.put(
                "outputStats",
                answers(page.get_sid_to_output_stats(), Comparator.naturalOrder(), ComponentStatistics::output));
        answer.put("executorStats", executors(page, topology));
    }

    /** Describes the entries of a map of Thrift, which is null when unset, in an order that does not vary. */
    private static <K> List<JsonObject> answers(
            Map<K, ComponentAggregateStats> statistics,
            Comparator<? super K> order,
            BiFunction<K, ComponentAggregateStats, JsonObject> describe) {
        List<JsonObject> answers = new ArrayList<>();
        if (statistics != null) {
            Map<K, ComponentAggregateStats> sorted = new TreeMap<>(order);
            sorted.putAll(statistics);
            sorted.forEach((key, stats) -> answers.add(describe.apply(key, stats)));
        }
        return answers;
    }

    private static JsonObject spoutWindow(String window, ComponentAggregateStats stats) {
        JsonObject answer = window(window, stats);
        // A number here, unlike elsewhere: as Storm's server answers.
        answer.put("completeLatency", stats.get_specific_stats().get_spout().get_complete_latency_ms());
        ErrorInfo error = stats.get_last_error();
        answer.put("lastError", error == null ? "" : UiText.lastError(error.get_error()));
        return answer;
    }

    private static JsonObject boltWindow(String window, ComponentAggregateStats stats) {
        JsonObject answer = window(window, stats);
        putBolt(answer, stats);
        answer.put(
                "capacity", UiText.decimal(stats.get_specific_stats().get_bolt().get_capacity()));
        return answer;
    }

    private static JsonObject window(String window, ComponentAggregateStats stats) {
        JsonObject answer = JsonObject.of("window", window).with("windowPretty", UiText.windowHint(window));
        putOutput(answer, stats);
        putAcked(answer, stats);
        return answer;
    }

    private static JsonObject input(GlobalStreamId stream, ComponentAggregateStats stats) {
        JsonObject answer = JsonObject.of("component", stream.get_componentId())
                .with("encodedComponentId", Utils.urlEncodeUtf8(stream.get_componentId()))
                .with("stream", stream.get_streamId());
        putBolt(answer, stats);
        putAcked(answer, stats);
        return answer;
    }

    private static JsonObject output(String stream, ComponentAggregateStats stats) {
        JsonObject answer = JsonObject.of("stream", stream);
        putOutput(answer, stats);
        return answer;
    }

    private List<JsonObject> executors(ComponentPageInfo page, String topology) {
        return page.is_set_exec_stats()
                ? page.get_exec_stats().stream()
                        .map(stats -> executor(stats, topology))
                        .toList()
                : List.of();
    }

    private JsonObject executor(ExecutorAggregateStats executor, String topology) {
        ExecutorSummary summary = executor.get_exec_summary();
        ExecutorInfo tasks = summary.get_executor_info();
        String id = "[" + tasks.get_task_start() + "-" + tasks.get_task_end() + "]";
        ComponentAggregateStats stats = executor.get_stats();
        JsonObject answer = JsonObject.of("id", id)
                .with("encodedId", Utils.urlEncodeUtf8(id))
                .with("host", summary.get_host())
                .with("port", summary.get_port())
                .with("uptime", UiText.uptime(summary.get_uptime_secs()))
                .with("uptimeSeconds", summary.get_uptime_secs())
                .with("workerLogLink", conf.workerLog(summary.get_host(), summary.get_port(), topology));
        putOutput(answer, stats);
        if (stats.get_specific_stats().is_set_spout()) {
            putSpout(answer, stats);
        } else {
            putBolt(answer, stats);
            putAcked(answer, stats);
            answer.put(
                    "capacity",
                    UiText.decimal(stats.get_specific_stats().get_bolt().get_capacity()));
        }
        return answer;
    }

    private static void putOutput(JsonObject answer, ComponentAggregateStats stats) {
        CommonAggregateStats common = stats.get_common_stats();
        answer.put("emitted", common.get_emitted());
        answer.put("transferred", common.get_transferred());
    }

    private static void putAcked(JsonObject answer, ComponentAggregateStats stats) {
        CommonAggregateStats common = stats.get_common_stats();
        answer.put("acked", common.get_acked());
        answer.put("failed", common.get_failed());
    }

    private static void putSpout(JsonObject answer, ComponentAggregateStats stats) {
        answer.put(
                "completeLatency",
                UiText.decimal(stats.get_specific_stats().get_spout().get_complete_latency_ms()));
        putAcked(answer, stats);
    }

    private static void putBolt(JsonObject answer, ComponentAggregateStats stats) {
        BoltAggregateStats bolt = stats.get_specific_stats().get_bolt();
        answer.put("executed", bolt.get_executed());
        answer.put("executeLatency", UiText.decimal(bolt.get_execute_latency_ms()));
        answer.put("processLatency", UiText.decimal(bolt.get_process_latency_ms()));
    }
}
