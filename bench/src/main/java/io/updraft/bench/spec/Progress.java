package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One progress row of a run, with the values of Yahoo's storm-perf-test.
 *
 * @param status {@code WAITING} for the first message, {@code WARMUP}, {@code RUNNING} or {@code DRAINING}
 * @param tasks the number of spout and bolt tasks that have started
 * @param timeMillis milliseconds since the topology was submitted
 * @param diffMillis milliseconds since the previous row
 * @param counts the counts since the previous row
 * @param inFlight messages in flight now
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
