package io.updraft.rest.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
public record ComponentStatistics(UiConf conf) {
    public void putSpout(Map<String, Object> answer, ComponentPageInfo page, String topology) {
        answer.put(
                "spoutSummary",
                answers(page.get_window_to_stats(), UiText::compareWindows, ComponentStatistics::spoutWindow));
        answer.put(
                "outputStats", answers(page.get_sid_to_output_stats(), Comparator.naturalOrder(), (stream, stats) -> {
                    Map<String, Object> output = output(stream, stats);
                    putSpout(output, stats);
                    return output;
                }));
        answer.put("executorStats", executors(page, topology));
    }

    public void putBolt(Map<String, Object> answer, ComponentPageInfo page, String topology) {
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
    private static <K> List<Map<String, Object>> answers(
            Map<K, ComponentAggregateStats> statistics,
            Comparator<? super K> order,
            BiFunction<K, ComponentAggregateStats, Map<String, Object>> describe) {
        List<Map<String, Object>> answers = new ArrayList<>();
        if (statistics != null) {
            Map<K, ComponentAggregateStats> sorted = new TreeMap<>(order);
            sorted.putAll(statistics);
            sorted.forEach((key, stats) -> answers.add(describe.apply(key, stats)));
        }
        return answers;
    }

    private static Map<String, Object> spoutWindow(String window, ComponentAggregateStats stats) {
        Map<String, Object> answer = window(window, stats);
        // A number here, unlike elsewhere: as Storm's server answers.
        answer.put("completeLatency", stats.get_specific_stats().get_spout().get_complete_latency_ms());
        ErrorInfo error = stats.get_last_error();
        answer.put("lastError", error == null ? "" : UiText.lastError(error.get_error()));
        return answer;
    }

    private static Map<String, Object> boltWindow(String window, ComponentAggregateStats stats) {
        Map<String, Object> answer = window(window, stats);
        putBolt(answer, stats);
        answer.put(
                "capacity", UiText.decimal(stats.get_specific_stats().get_bolt().get_capacity()));
        return answer;
    }

    private static Map<String, Object> window(String window, ComponentAggregateStats stats) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("window", window);
        answer.put("windowPretty", UiText.windowHint(window));
        putOutput(answer, stats);
        putAcked(answer, stats);
        return answer;
    }

    private static Map<String, Object> input(GlobalStreamId stream, ComponentAggregateStats stats) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("component", stream.get_componentId());
        answer.put("encodedComponentId", Utils.urlEncodeUtf8(stream.get_componentId()));
        answer.put("stream", stream.get_streamId());
        putBolt(answer, stats);
        putAcked(answer, stats);
        return answer;
    }

    private static Map<String, Object> output(String stream, ComponentAggregateStats stats) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("stream", stream);
        putOutput(answer, stats);
        return answer;
    }

    private List<Map<String, Object>> executors(ComponentPageInfo page, String topology) {
        return page.is_set_exec_stats()
                ? page.get_exec_stats().stream()
                        .map(stats -> executor(stats, topology))
                        .toList()
                : List.of();
    }

    private Map<String, Object> executor(ExecutorAggregateStats executor, String topology) {
        ExecutorSummary summary = executor.get_exec_summary();
        ExecutorInfo tasks = summary.get_executor_info();
        String id = "[" + tasks.get_task_start() + "-" + tasks.get_task_end() + "]";
        ComponentAggregateStats stats = executor.get_stats();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id);
        answer.put("encodedId", Utils.urlEncodeUtf8(id));
        answer.put("host", summary.get_host());
        answer.put("port", summary.get_port());
        answer.put("uptime", UiText.uptime(summary.get_uptime_secs()));
        answer.put("uptimeSeconds", summary.get_uptime_secs());
        answer.put("workerLogLink", conf.workerLog(summary.get_host(), summary.get_port(), topology));
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

    private static void putOutput(Map<String, Object> answer, ComponentAggregateStats stats) {
        CommonAggregateStats common = stats.get_common_stats();
        answer.put("emitted", common.get_emitted());
        answer.put("transferred", common.get_transferred());
    }

    private static void putAcked(Map<String, Object> answer, ComponentAggregateStats stats) {
        CommonAggregateStats common = stats.get_common_stats();
        answer.put("acked", common.get_acked());
        answer.put("failed", common.get_failed());
    }

    private static void putSpout(Map<String, Object> answer, ComponentAggregateStats stats) {
        answer.put(
                "completeLatency",
                UiText.decimal(stats.get_specific_stats().get_spout().get_complete_latency_ms()));
        putAcked(answer, stats);
    }

    private static void putBolt(Map<String, Object> answer, ComponentAggregateStats stats) {
        BoltAggregateStats bolt = stats.get_specific_stats().get_bolt();
        answer.put("executed", bolt.get_executed());
        answer.put("executeLatency", UiText.decimal(bolt.get_execute_latency_ms()));
        answer.put("processLatency", UiText.decimal(bolt.get_process_latency_ms()));
    }
}
