package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The resource usage of the components' processes during the measurement.
 *
 * @param cpuNanos CPU time of all threads, in nanoseconds
 * @param gcMillis garbage collection time in milliseconds
 * @param contextSwitches voluntary and involuntary context switches of all threads; -1 if the system does not report them
 */
public record Usage(long cpuNanos, long gcMillis, long contextSwitches) {

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cpuNanos", cpuNanos);
        json.put("gcMillis", gcMillis);
        json.put("contextSwitches", contextSwitches);
        return json;
    }

    static Usage fromJson(Map<String, Object> json) {
        return new Usage(
                Field.asLong(json, "cpuNanos"), Field.asLong(json, "gcMillis"), Field.asLong(json, "contextSwitches"));
    }
}
