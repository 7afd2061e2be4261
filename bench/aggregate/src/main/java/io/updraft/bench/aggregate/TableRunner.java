package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.HarnessJvm;
import io.updraft.bench.StormClusterOption;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.timeseries.bolt.AggregateBolt;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;

/**
 * Runs series, each run in a new harness JVM. Only the harness of a Storm cluster is kept for the next run on the cluster, because
 * the cluster takes longer to start than a run. Used by one thread.
 */
final class TableRunner implements AutoCloseable {

    private static final String HARNESS_HEAP = "512m";

    private final Load load;
    private final String clusterClassPath;
    private final List<String> clusterOptions;
    private HarnessJvm cluster;
    private TableSpec clusterSpec;

    /**
     * The load of all series.
     *
     * @param levels the levels of bolts before the results
     * @param heap the heap of each JVM that aggregates
     */
    record Load(int spouts, int levels, String heap, long warmupMillis, long testMillis) {

        /** {@return the executors of a topology, of which the last sums the results} */
        int executors(int parallelism) {
            return spouts + levels * parallelism + 1;
        }
    }

    /**
     * Starts nothing yet.
     *
     * @param onStorm whether there will be series on a Storm cluster
     * @throws io.updraft.bench.UsageError when a part of the cluster is not built
     */
    TableRunner(Load load, boolean onStorm) {
        this.load = load;
        String plugins = plugins();
        clusterClassPath = onStorm ? plugins + File.pathSeparator + StormClusterOption.classPath() : "";
        clusterOptions = new ArrayList<>(onStorm ? StormClusterOption.jvmOptions() : List.of());
        clusterOptions.add("-D" + WorkersRuntime.PLUGINS + "=" + plugins);
    }

    /** {@return what the topology needs beside the bench} Libraries for sketches and decimal fractions are not needed. */
    private static String plugins() {
        return Stream.of(TableTopology.class, AggregateBolt.class)
                .map(type -> BenchClassPaths.placeOf(type).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    RunResult run(TableSeries series) throws IOException, InterruptedException {
        return series.placement() == TablePlacement.STORM_CLUSTER ? runOnStorm(series) : runInNewHarness(series);
    }

    private RunResult runInNewHarness(TableSeries series) throws IOException, InterruptedException {
        String heap = series.placement().hasWorkers() ? HARNESS_HEAP : load.heap();
        try (HarnessJvm harness = new HarnessJvm(BenchClassPaths.updraft(), heap, options(series.spec()))) {
            return harness.run(specification(series), row -> {});
        }
    }

    private RunResult runOnStorm(TableSeries series) throws IOException, InterruptedException {
        if (!series.spec().equals(clusterSpec)) {
            close();
            List<String> options = options(series.spec());
            options.addAll(clusterOptions);
            cluster = new HarnessJvm(clusterClassPath, HARNESS_HEAP, options);
            clusterSpec = series.spec();
        }
        RunResult result = cluster.run(specification(series), row -> {});
        if (!result.valid()) {
            close();
        }
        return result;
    }

    private static List<String> options(TableSpec spec) {
        List<String> options = new ArrayList<>(PeerJvm.OPTIONS);
        options.add(spec.option());
        return options;
    }

    private RunSpec specification(TableSeries series) {
        Class<?> topology = series.alone() ? TableAlone.class : TableTopology.class;
        return new RunSpec(
                series.placement().runtime(),
                new Shape(topology.getName(), load.spouts(), series.parallelism(), load.levels(), 0, false, 0),
                conf(series),
                load.warmupMillis(),
                load.testMillis(),
                0);
    }

    private Map<String, Object> conf(TableSeries series) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        conf.put(Config.TOPOLOGY_WORKERS, series.workers());
        conf.put(
                Config.TOPOLOGY_WORKER_CHILDOPTS, "-Xms" + load.heap() + " -Xmx" + load.heap() + " -XX:+UseParallelGC");
        if (series.placement() == TablePlacement.STORM_CLUSTER) {
            conf.put(WorkersRuntime.ENABLED, true);
        }
        return conf;
    }

    /** Ends the cluster, if one runs. */
    @Override
    public void close() throws IOException {
        clusterSpec = null;
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
