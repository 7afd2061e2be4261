package io.updraft.bench;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.transport.TransportNames;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;

/**
 * Runs one shape once, on one side: in a new JVM, or in new worker processes. The harness JVM that starts worker processes is
 * kept between runs, because a Storm cluster takes longer to start than a run. Sides with the same workers class share one
 * harness, and so one cluster.
 */
final class ShapeRunner implements AutoCloseable {

    private static final String HARNESS_HEAP = "512m";

    /** Option for Aeron. Updraft passes the option to workers that it launches itself; on a Storm cluster the bench does. */
    private static final String FOR_AERON = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    private final BenchRequest request;
    private final ProgressConsole console;
    private final Map<BenchSide, String> classPaths = new EnumMap<>(BenchSide.class);
    private final List<String> stormOptions;
    private final Map<String, HarnessJvm> kept = new HashMap<>();

    ShapeRunner(BenchRequest request, ProgressConsole console) {
        this.request = request;
        this.console = console;
        request.workers().sides(request.peers()).forEach(side -> classPaths.put(side, classPath(side, request)));
        this.stormOptions = request.workers().onStormCluster() ? StormClusterOption.jvmOptions() : List.of();
    }

    private static String classPath(BenchSide side, BenchRequest request) {
        return switch (side) {
            case UPDRAFT -> BenchClassPaths.updraft();
            case UPDRAFT_ON_STORM, STORM -> stormClassPath(request);
            case FLINK -> BenchClassPaths.aggregate("--vs", "flink");
        };
    }

    private static String stormClassPath(BenchRequest request) {
        if (request.workers().onStormCluster()) {
            return StormClusterOption.classPath();
        }
        return request.workers().several() ? BenchClassPaths.stormCluster("--vs", "storm") : BenchClassPaths.storm();
    }

    RunResult run(Series series, PeerSettings settings) throws IOException, InterruptedException {
        BenchRequest.Timing timing = request.timing();
        return run(
                series.side(),
                series.transport(),
                series.shape(),
                settings,
                timing.warmupMillis(),
                timing.testMillis());
    }

    RunResult run(
            BenchSide side, String transport, Shape shape, PeerSettings settings, long warmupMillis, long testMillis)
            throws IOException, InterruptedException {
        boolean several = request.workers().several();
        String key = side.workersClass();
        HarnessJvm child = several && kept.containsKey(key) ? kept.get(key) : newChild(side);
        RunSpec spec = new RunSpec(
                several ? side.workersClass() : side.localClass(),
                side.tracksMessages() ? shape : shape.untracked(),
                conf(side, transport, shape, settings),
                warmupMillis,
                testMillis,
                request.timing().pollMillis());
        RunResult result = child.run(spec, console.rows(shape.messageSize()));
        if (several && result.valid()) {
            kept.put(key, child);
        } else {
            kept.remove(key);
            report(side, result, child);
            child.close();
        }
        return result;
    }

    private HarnessJvm newChild(BenchSide side) throws IOException {
        return new HarnessJvm(
                classPaths.get(side),
                request.workers().several() ? HARNESS_HEAP : request.heap(),
                side == BenchSide.UPDRAFT ? List.of() : stormOptions);
    }

    private void report(BenchSide side, RunResult result, HarnessJvm child) {
        if (!result.valid()) {
            console.say("INVALID run on " + side.title() + ":");
            result.problems().stream().limit(10).forEach(problem -> console.say("  " + problem));
            console.say("  log: " + child.keepLog());
        }
    }

    private Map<String, Object> conf(BenchSide side, String transport, Shape shape, PeerSettings settings) {
        if (side == BenchSide.FLINK) {
            return settings.conf();
        }
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put(Config.TOPOLOGY_WORKERS, request.workers().count());
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, shape.acked() ? request.ackers() : 0);
        if (request.maxSpoutPending() > 0) {
            conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, request.maxSpoutPending());
        }
        if (request.workers().several()) {
            conf.putAll(betweenWorkers());
        }
        conf.putAll(settings.conf());
        conf.putAll(request.conf());
        if (side == BenchSide.STORM) {
            conf.putAll(request.stormConf());
        }
        if (!transport.isEmpty()) {
            conf.put(TransportNames.LOCAL, transport);
        }
        conf.putAll(onCluster(side, transport));
        return conf;
    }

    /**
     * Selects the workers that a Storm cluster launches. A slot has one port only, so Updraft's workers use the remote
     * transport there.
     */
    private Map<String, Object> onCluster(BenchSide side, String transport) {
        if (side == BenchSide.UPDRAFT || !request.workers().onStormCluster()) {
            return Map.of();
        }
        return side == BenchSide.STORM
                ? Map.of(WorkersRuntime.ENABLED, false)
                : Map.of(WorkersRuntime.ENABLED, true, TransportNames.REMOTE, transport);
    }

    /**
     * Gives workers of all sides the same JVM options, and turns load-aware grouping off so that tuples always cross between
     * workers.
     */
    private Map<String, Object> betweenWorkers() {
        String heap = request.heap();
        return Map.of(
                Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING,
                true,
                Config.TOPOLOGY_WORKER_CHILDOPTS,
                "-Xms" + heap + " -Xmx" + heap + " -XX:+UseParallelGC " + FOR_AERON);
    }

    /** Ends the kept harness JVMs. */
    @Override
    public void close() throws IOException {
        for (HarnessJvm child : kept.values()) {
            child.close();
        }
        kept.clear();
    }
}
