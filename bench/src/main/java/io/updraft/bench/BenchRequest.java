package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The checked options of a call.
 *
 * @param suite whether to measure the eight results; {@code shape} is ignored then
 * @param sizes the message sizes; more than one is a sweep
 * @param workers the number of worker processes, and the transports between them
 * @param ackers acker executors when messages are tracked, as in Storm
 * @param maxSpoutPending messages in flight per spout task; 0 if the option is not given
 * @param peers the runtimes that Updraft is compared with
 * @param tune whether to search for the peers' best settings first
 * @param conf the user's configuration for Updraft and Storm
 * @param stormConf the user's configuration for Storm only
 * @param heap the value of {@code -Xmx} and {@code -Xms} of each run's JVM or, with several workers, of each worker
 * @param json whether the results are printed as JSON and progress lines go to standard error
 * @param plot the PNG file for figures, or null
 */
record BenchRequest(
        boolean suite,
        Shape shape,
        List<Integer> sizes,
        WorkersPlan workers,
        int ackers,
        int maxSpoutPending,
        Timing timing,
        Set<BenchSide> peers,
        boolean tune,
        Map<String, Object> conf,
        Map<String, Object> stormConf,
        String heap,
        boolean json,
        Path plot) {

    /**
     * The length and number of runs.
     *
     * @param warmupMillis the length of the warm-up
     * @param pollMillis the time between two progress rows; 0 for no rows
     */
    record Timing(long warmupMillis, long testMillis, long pollMillis, int runs) {}

    /** Whether several message sizes are measured, so that figures show results over the size. */
    boolean sweep() {
        return sizes.size() > 1;
    }
}
