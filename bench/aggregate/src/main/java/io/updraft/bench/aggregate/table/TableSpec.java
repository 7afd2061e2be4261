package io.updraft.bench.aggregate.table;

import io.updraft.bench.spec.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a child JVM is to measure.
 *
 * @param runtime what runs the topology
 * @param dimensions how many fields are grouped by
 * @param measures how many fields are summed
 * @param keys how many combinations of dimensions there are
 * @param recordsPerWindow after how many records a window ends, and its groups are emitted
 * @param aggregators how many tasks aggregate
 * @param warmupMillis from the first record to the measured part
 * @param testMillis the measured part
 */
public record TableSpec(
        Runtime runtime,
        int dimensions,
        int measures,
        int keys,
        long recordsPerWindow,
        int aggregators,
        long warmupMillis,
        long testMillis) {

    /** What runs a topology. */
    public enum Runtime {
        /** Updraft's engine and its aggregate bolt. */
        UPDRAFT,
        /** Storm's LocalCluster and a bolt with a hash map. */
        STORM,
        /** No topology: one thread and Updraft's table of groups, to see what that takes. */
        ALONE
    }

    /** {@return the same on one line} */
    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("runtime", runtime.name());
        json.put("dimensions", dimensions);
        json.put("measures", measures);
        json.put("keys", keys);
        json.put("recordsPerWindow", recordsPerWindow);
        json.put("aggregators", aggregators);
        json.put("warmupMillis", warmupMillis);
        json.put("testMillis", testMillis);
        return Json.write(json);
    }

    static TableSpec fromJson(String text) {
        Map<String, Object> json = Json.readObject(text);
        return new TableSpec(
                Runtime.valueOf((String) json.get("runtime")),
                ((Long) json.get("dimensions")).intValue(),
                ((Long) json.get("measures")).intValue(),
                ((Long) json.get("keys")).intValue(),
                (Long) json.get("recordsPerWindow"),
                ((Long) json.get("aggregators")).intValue(),
                (Long) json.get("warmupMillis"),
                (Long) json.get("testMillis"));
    }
}
