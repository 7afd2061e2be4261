package io.updraft.console.cluster;

import io.updraft.observe.view.Remark.Kind;
import io.updraft.observe.view.Remarks;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;

/** What is worth knowing about a topology of a cluster, the most important first. */
final class ClusterRemarks {
    /** The capacity from which on a component counts as busy. */
    static final double NEARLY_BUSY = 0.9;

    private static final int MAX_ERRORS = 3;
    private static final String LATENCIES =
            "latencies are means of the last ten minutes: Storm knows no percentiles, and no tuples in flight or in queues";
    private static final String FULLY_SCHEDULED = "Fully Scheduled";

    private final Remarks remarks = new Remarks();

    private ClusterRemarks() {}

    /**
     * Returns the remarks.
     *
     * @param troubles what the workers have reported
     * @param isRunOfUpdraft whether there is no scheduler, and all workers are where they shall be
     */
    static Remarks of(
            TopologySampled sampled, ReportedTroubles troubles, boolean isRunOfUpdraft, boolean hasFreeSlots) {
        ClusterRemarks remarks = new ClusterRemarks();
        TopologyReading reading = sampled.reading();
        if (!isRunOfUpdraft) {
            remarks.addScheduling(reading, hasFreeSlots);
        }
        troubles.addTo(remarks.remarks);
        bottleneck(sampled)
                .ifPresent(component -> remarks.remarks.add(Kind.BOTTLENECK, component.id(), verdict(component)));
        remarks.addErrors(reading);
        remarks.remarks.add(Kind.NOTE, null, LATENCIES);
        return remarks.remarks;
    }

    /** {@return the component with the highest capacity, if that is near 1} */
    static Optional<TopologySampled.Component> bottleneck(TopologySampled sampled) {
        return sampled.components().stream()
                .filter(component -> component.busy() != null && component.busy() >= NEARLY_BUSY)
                .max(Comparator.comparing(TopologySampled.Component::busy));
    }

    static String verdict(TopologySampled.Component component) {
        return component.id() + ": " + Math.round(100 * component.busy())
                + "% busy in execute (capacity of its busiest executor in the last ten minutes)";
    }

    private void addScheduling(String text) {
        remarks.add(Kind.SCHEDULING, null, text);
    }

    private void addScheduling(TopologyReading reading, boolean hasFreeSlots) {
        String status = reading.page().get_sched_status();
        boolean isComplete = status != null && status.contains(FULLY_SCHEDULED);
        if (status != null && !status.isBlank() && !isComplete) {
            addScheduling(status);
        }
        int requested = conf(reading).get(Config.TOPOLOGY_WORKERS) instanceof Number number ? number.intValue() : 0;
        int assigned = ClusterJson.workers(reading).size();
        // With a free slot, fewer workers than configured are what a rebalance has asked for.
        if (assigned < requested && !isComplete && !hasFreeSlots) {
            addScheduling(assigned + " of " + requested + " workers have a slot");
        }
        List<ExecutorSummary> executors = reading.info().get_executors();
        long silent = executors.stream()
                .filter(executor -> !executor.is_set_stats() && !Utils.isSystemId(executor.get_component_id()))
                .count();
        if (silent > 0) {
            addScheduling(silent + " executors have not reported yet");
        }
        if (executors.isEmpty()) {
            addScheduling("no executor has a slot");
        }
    }

    static Map<?, ?> conf(TopologyReading reading) {
        Object conf = JSONValue.parse(String.valueOf(reading.page().get_topology_conf()));
        return conf instanceof Map<?, ?> map ? map : Map.of();
    }

    private void addErrors(TopologyReading reading) {
        Map<ErrorInfo, String> newest = new LinkedHashMap<>();
        reading.info()
                .get_errors()
                .forEach((component, errors) -> errors.stream()
                        .filter(error -> !ReportedTroubles.isReport(component, error))
                        .forEach(error -> newest.put(error, component)));
        List<ErrorInfo> newestFirst = newest.keySet().stream()
                .sorted(Comparator.comparing(ErrorInfo::get_error_time_secs).reversed())
                .toList();
        newestFirst.stream()
                .limit(MAX_ERRORS)
                .forEach(error ->
                        remarks.add(Kind.ERROR, newest.get(error), NimbusErrors.line(newest.get(error), error)));
        if (newestFirst.size() > MAX_ERRORS) {
            remarks.add(Kind.ERROR, null, "  ... and of " + (newestFirst.size() - MAX_ERRORS) + " more components");
        }
    }
}
