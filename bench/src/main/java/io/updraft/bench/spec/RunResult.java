package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run gave. Without problems it is valid: everything emitted arrived.
 *
 * @param problems what did not add up when the run was over, in words
 * @param startMillis from submitting the topology to the first message that a bolt has processed or, in topologies whose bolts
 *     count nothing, that is through; 0 if none ever was through
 * @param nanos the length of the measured part
 * @param counts what was counted during the measured part
 * @param total what was counted from the start to the end of draining
 * @param usage what the process, or the processes of the workers, used during the measured part
 * @param latency complete latencies of messages of the measured part; all zero when messages are not tracked
 */
public record RunResult(
        List<String> problems,
        long startMillis,
        long nanos,
        Counts counts,
        Counts total,
        Usage usage,
        Latency latency) {

    /**
     * A run that never got under way.
     *
     * @param problems why
     * @return an invalid result without counts
     */
    public static RunResult failed(List<String> problems) {
        return failed(0, problems);
    }

    /**
     * A run that gave nothing.
     *
     * @param startMillis from submitting the topology to the first message that a bolt has processed; 0 if none ever was through
     * @param problems why
     * @return an invalid result without counts
     */
    public static RunResult failed(long startMillis, List<String> problems) {
        return new RunResult(
                List.copyOf(problems),
                startMillis,
                1,
                Counts.NONE,
                Counts.NONE,
                new Usage(0, 0, -1),
                new Latency(0, 0, 0, 0, 0, 0));
    }

    /** {@return whether everything that was emitted arrived} */
    public boolean valid() {
        return problems.isEmpty();
    }

    /** {@return whether a message ever went all the way} */
    public boolean underWay() {
        return startMillis > 0;
    }

    /** {@return messages per second that went all the way} */
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

    /** {@return context switches per thousand messages; negative where the system does not tell} */
    public double switchesPerThousand() {
        return usage.contextSwitches() < 0 ? -1 : usage.contextSwitches() / (counts.completed() / 1e3);
    }

    /** {@return the part of the tuples that came to a bolt from another worker} */
    public double crossed() {
        return counts.transferred() == 0 ? 0 : counts.crossed() / (double) counts.transferred();
    }

    /** {@return how many cores were busy, on average} */
    public double coresBusy() {
        return usage.cpuNanos() / (double) nanos;
    }

    /** {@return the length of the measured part in seconds} */
    public double seconds() {
        return nanos / 1e9;
    }

    /** {@return the result on one line} */
    public String toJson() {
        return Json.write(asMap());
    }

    /** {@return the result as JSON members} */
    public Map<String, Object> asMap() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("valid", valid());
        json.put("problems", problems);
        json.put("startMillis", startMillis);
        json.put("nanos", nanos);
        json.put("messagesPerSecond", messagesPerSecond());
        json.put("switchesPerThousand", switchesPerThousand());
        json.put("counts", counts.toJson());
        json.put("total", total.toJson());
        json.put("usage", usage.toJson());
        json.put("latencyNanos", latency.toJson());
        return json;
    }

    /**
     * Reads a result.
     *
     * @param line what {@link #toJson} wrote
     * @return the result
     */
    public static RunResult fromJson(String line) {
        Map<String, Object> json = Json.readObject(line);
        return new RunResult(
                Field.asStrings(json, "problems"),
                Field.asLong(json, "startMillis"),
                Field.asLong(json, "nanos"),
                Counts.fromJson(Field.asObject(json, "counts")),
                Counts.fromJson(Field.asObject(json, "total")),
                Usage.fromJson(Field.asObject(json, "usage")),
                Latency.fromJson(Field.asObject(json, "latencyNanos")));
    }
}
