package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The specification of one run, sent to a child JVM.
 *
 * @param runtimeClass the name of the runtime's class: an {@link org.apache.storm.ILocalCluster} in the child itself, or an
 *     {@code io.updraft.bench.workers.WorkersRuntime}. The class needs a public constructor without parameters
 * @param shape the topology and its load
 * @param conf the topology's configuration
 * @param warmupMillis the length of the warm-up
 * @param testMillis the length of the measurement
 * @param pollMillis the time between two progress rows; 0 for no rows
 */
public record RunSpec(
        String runtimeClass,
        Shape shape,
        Map<String, Object> conf,
        long warmupMillis,
        long testMillis,
        long pollMillis) {

    /** {@return the specification on one line} */
    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("runtimeClass", runtimeClass);
        json.put("shape", shape.toJson());
        json.put("conf", conf);
        json.put("warmupMillis", warmupMillis);
        json.put("testMillis", testMillis);
        json.put("pollMillis", pollMillis);
        return Json.write(json);
    }

    /**
     * Reads a specification.
     *
     * @param line what {@link #toJson} wrote
     * @return the specification
     */
    public static RunSpec fromJson(String line) {
        Map<String, Object> json = Json.readObject(line);
        return new RunSpec(
                Field.asString(json, "runtimeClass"),
                Shape.fromJson(Field.asObject(json, "shape")),
                Field.asObject(json, "conf"),
                Field.asLong(json, "warmupMillis"),
                Field.asLong(json, "testMillis"),
                Field.asLong(json, "pollMillis"));
    }
}
