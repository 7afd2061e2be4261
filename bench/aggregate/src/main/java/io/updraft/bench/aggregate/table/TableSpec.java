package io.updraft.bench.aggregate.table;

import io.updraft.bench.spec.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The specification of one run of aggregation alone, sent to a child JVM.
 *
 * @param runtime the runtime of the topology
 * @param dimensions the number of fields to group by
 * @param measures the number of fields to sum
 * @param keys the number of distinct combinations of dimensions
 * @param recordsPerWindow the number of records per window; groups are emitted when the window ends
 * @param aggregators the number of aggregating tasks
 * @param warmupMillis the time from the first record to the measurement
 * @param testMillis the length of the measurement
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

    /** The runtime of a topology. */
    public enum Runtime {
        /** Updraft's engine and its aggregate bolt. */
        UPDRAFT,
        /** Storm's LocalCluster and a bolt with a hash map. */
        STORM,
        /** No topology: one thread with Updraft's aggregator. */
        ALONE
    }

    /** {@return the specification as JSON on one line} */
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
