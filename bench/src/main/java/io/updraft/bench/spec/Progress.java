package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One row of a running child, in the manner of Yahoo's storm-perf-test.
 *
 * @param status {@code WAITING} for the first message, {@code WARMUP}, {@code RUNNING} or {@code DRAINING}
 * @param tasks how many tasks of spouts and bolts were started
 * @param timeMillis since the topology was submitted
 * @param diffMillis since the row before
 * @param counts what was counted since the row before
 * @param inFlight messages under way now
 */
public record Progress(String status, int tasks, long timeMillis, long diffMillis, Counts counts, long inFlight) {

    /** {@return the row on one line} */
    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", status);
        json.put("tasks", tasks);
        json.put("timeMillis", timeMillis);
        json.put("diffMillis", diffMillis);
        json.put("counts", counts.toJson());
        json.put("inFlight", inFlight);
        return Json.write(json);
    }

    /**
     * Reads a row.
     *
     * @param line what {@link #toJson} wrote
     * @return the row
     */
    public static Progress fromJson(String line) {
        Map<String, Object> json = Json.readObject(line);
        return new Progress(
                Field.asString(json, "status"),
                Field.asInt(json, "tasks"),
                Field.asLong(json, "timeMillis"),
                Field.asLong(json, "diffMillis"),
                Counts.fromJson(Field.asObject(json, "counts")),
                Field.asLong(json, "inFlight"));
    }
}
