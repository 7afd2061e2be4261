package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one run. A result without problems is valid: every emitted message arrived.
 *
 * @param problems the problems found at the end of the run; empty if the run is valid
 * @param startMillis milliseconds from submitting the topology to the first message processed by a bolt or, if bolts do not
 *     count, completed; 0 if no message ever completed
 * @param nanos the length of the measurement in nanoseconds
 * @param counts the counts of the measurement
 * @param total the counts from the start to the end of draining
 * @param usage resource usage of the process, or of the worker processes, during the measurement
 * @param latency complete latencies of the measurement's messages; all zero when messages are not tracked
 * @param figures further figures of the topology, by their names
 */
public record RunResult(
        List<String> problems,
        long startMillis,
        long nanos,
        RunCounts counts,
        RunCounts total,
        ProcessUsage usage,
        LatencyPercentiles latency,
        Map<String, Integer> figures) {

    private static final LatencyPercentiles NO_LATENCY = new LatencyPercentiles(0, 0, 0, 0, 0, 0);

    /**
     * Returns the result of a run in which no message completed.
     *
     * @return an invalid result without counts
     */
    public static RunResult failed(List<String> problems) {
        return failed(0, problems);
    }

    /**
     * Returns the result of a run that failed.
     *
     * @param startMillis milliseconds from submitting the topology to the first message processed by a bolt; 0 if no message
     *     ever completed
     * @return an invalid result without counts
     */
    public static RunResult failed(long startMillis, List<String> problems) {
        return new RunResult(
                List.copyOf(problems),
                startMillis,
                1,
                RunCounts.NONE,
                RunCounts.NONE,
                new ProcessUsage(0, 0, -1),
                NO_LATENCY,
                Map.of());
    }

    /** {@return the result of a measurement that only counted messages} */
    public static RunResult of(List<String> problems, long nanos, long messages, ProcessUsage usage) {
        RunCounts counts = new RunCounts(messages, messages, messages, 0, 0, 0);
        return new RunResult(problems, 1, nanos, counts, counts, usage, NO_LATENCY, Map.of());
    }

    /** {@return whether every emitted message arrived} */
    public boolean valid() {
        return problems.isEmpty();
    }

    /** {@return whether a message ever completed} */
    public boolean underWay() {
        return startMillis > 0;
    }

    /** {@return completed messages per second} */
    public double messagesPerSecond() {
        return counts.completed() / seconds();
    }

    /** {@return tuples per second that bolts received, over all hops} */
    public double transferredPerSecond() {
        return counts.transferred() / seconds();
    }

    /** {@return CPU seconds per million messages} */
    public double cpuSecondsPerMillion() {
        return usage.cpuNanos() / 1e9 / (counts.completed() / 1e6);
    }

    /** {@return context switches per thousand messages; negative if the system does not report them} */
    public double switchesPerThousand() {
        return usage.contextSwitches() < 0 ? -1 : usage.contextSwitches() / (counts.completed() / 1e3);
    }

    /** {@return the fraction of tuples that a bolt received from another worker} */
    public double crossed() {
        return counts.transferred() == 0 ? 0 : counts.crossed() / (double) counts.transferred();
    }

    /** {@return the average number of busy cores} */
    public double coresBusy() {
        return usage.cpuNanos() / (double) nanos;
    }

    /** {@return the length of the measurement in seconds} */
    public double seconds() {
        return nanos / 1e9;
    }

    /** {@return the result for reports: some derived values, then the components} */
    public Map<String, Object> asMap() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("valid", valid());
        json.put("problems", problems);
        json.put("startMillis", startMillis);
        json.put("nanos", nanos);
        json.put("messagesPerSecond", messagesPerSecond());
        json.put("switchesPerThousand", switchesPerThousand());
        json.put("counts", counts);
        json.put("total", total);
        json.put("usage", usage);
        json.put("latencyNanos", latency);
        return json;
    }
}
