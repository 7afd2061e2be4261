package io.updraft.bench.spec;

import java.util.Map;

/**
 * The specification of one run, sent to a child JVM.
 *
 * @param runtimeClass the name of the runtime's class: in the child itself an {@link org.apache.storm.ILocalCluster} or an
 *     {@code io.updraft.bench.child.PeerRuntime}, or an {@code io.updraft.bench.workers.WorkersRuntime}. The class needs a public constructor without parameters
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
        long pollMillis) {}
