package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the child's process used during the measured part.
 *
 * @param cpuNanos CPU time of all its threads
 * @param gcMillis time spent collecting garbage
 * @param contextSwitches switches of all its threads, wanted or not; -1 where the system does not tell
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
