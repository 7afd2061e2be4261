package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the command line asks for, checked.
 *
 * @param suite whether the eight results are asked for; the shape does not count then
 * @param shape the topology and its load
 * @param sizes the message sizes; more than one is a sweep
 * @param workers how many worker processes, and what joins them
 * @param ackers acker executors where messages are tracked, Storm's meaning
 * @param maxSpoutPending the limit per spout task; 0 for none given
 * @param timing how long and how often
 * @param vsStorm whether Storm runs beside Updraft
 * @param tune whether Storm's best settings are searched for first
 * @param conf the user's configuration for both sides
 * @param stormConf the user's configuration for Storm alone
 * @param jvm the child's heap and libraries
 * @param format how results are written
 * @param plot where the picture goes, or null
 */
record Request(
        boolean suite,
        Shape shape,
        List<Integer> sizes,
        WorkersPlan workers,
        int ackers,
        int maxSpoutPending,
        Timing timing,
        boolean vsStorm,
        boolean tune,
        Map<String, Object> conf,
        Map<String, Object> stormConf,
        Jvm jvm,
        Format format,
        Path plot) {

    /**
     * How long and how often.
     *
     * @param warmupMillis before the measured part
     * @param testMillis the measured part
     * @param pollMillis between two rows of progress; 0 for none
     * @param runs runs per side
     */
    record Timing(long warmupMillis, long testMillis, long pollMillis, int runs) {}

    /**
     * What child JVMs get.
     *
     * @param heap the value of {@code -Xmx} and {@code -Xms}, of each worker where there are several
     * @param stormLibrary the directory of Storm's jars, or null to look for it
     */
    record Jvm(String heap, Path stormLibrary) {}

    /** Whether the message size is what figures show. */
    boolean sweep() {
        return sizes.size() > 1;
    }
}
