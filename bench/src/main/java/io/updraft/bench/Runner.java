package io.updraft.bench;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;

/**
 * Runs one shape once, on one side: in a fresh JVM, or in fresh worker processes. What starts those is kept, one for each
 * side, for Storm's cluster takes longer to start than a run.
 */
final class Runner implements AutoCloseable {

    private static final String HARNESS_HEAP = "512m";

    private final Request request;
    private final Console console;
    private final String stormClassPath;
    private final Map<Side, ChildJvm> kept = new EnumMap<>(Side.class);

    Runner(Request request, Console console) {
        this.request = request;
        this.console = console;
        this.stormClassPath = request.vsStorm() ? stormClassPath(request) : null;
    }

    private static String stormClassPath(Request request) {
        Path library = request.jvm().stormLibrary();
        return request.workers().several() ? ClassPaths.stormCluster(library) : ClassPaths.storm(library);
    }

    RunResult run(Series series, StormSettings settings) throws IOException, InterruptedException {
        Request.Timing timing = request.timing();
        return run(
                series.side(), series.variant(), series.shape(), settings, timing.warmupMillis(), timing.testMillis());
    }

    RunResult run(Side side, Variant variant, Shape shape, StormSettings settings, long warmupMillis, long testMillis)
            throws IOException, InterruptedException {
        boolean several = request.workers().several();
        ChildJvm child = several && kept.containsKey(side) ? kept.get(side) : newChild(side);
        RunSpec spec = new RunSpec(
                several ? side.workersClass() : side.clusterClass(),
                shape,
                conf(side, variant, shape, settings),
                warmupMillis,
                testMillis,
                request.timing().pollMillis());
        RunResult result = child.run(spec, console.rows(shape.messageSize()));
        if (several && result.valid()) {
            kept.put(side, child);
        } else {
            kept.remove(side);
            child.close();
            delete(result.valid() ? child.directory() : child.directory().resolve("tmp"));
        }
        report(side, result, child);
        return result;
    }

    private ChildJvm newChild(Side side) throws IOException {
        return new ChildJvm(
                side == Side.STORM ? stormClassPath : ClassPaths.updraft(),
                request.workers().several() ? HARNESS_HEAP : request.jvm().heap(),
                Files.createTempDirectory("updraft-bench-"));
    }

    private void report(Side side, RunResult result, ChildJvm child) {
        if (!result.valid()) {
            console.say("INVALID run on " + side.title() + ":");
            result.problems().stream().limit(10).forEach(problem -> console.say("  " + problem));
            console.say("  log: " + child.log());
        }
    }

    private Map<String, Object> conf(Side side, Variant variant, Shape shape, StormSettings settings) {
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put(Config.TOPOLOGY_WORKERS, request.workers().count());
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, shape.acked() ? request.ackers() : 0);
        if (request.maxSpoutPending() > 0) {
            conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, request.maxSpoutPending());
        }
        if (request.workers().several()) {
            conf.putAll(betweenWorkers());
        }
        if (side == Side.STORM) {
            conf.putAll(settings.conf());
        }
        conf.putAll(request.conf());
        if (side == Side.STORM) {
            conf.putAll(request.stormConf());
        }
        conf.putAll(variant.conf());
        return conf;
    }

    /** Workers are the same on both sides, and tuples are to cross between them whether or not those are loaded. */
    private Map<String, Object> betweenWorkers() {
        String heap = request.jvm().heap();
        return Map.of(
                Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING,
                true,
                Config.TOPOLOGY_WORKER_CHILDOPTS,
                "-Xms" + heap + " -Xmx" + heap + " -XX:+UseParallelGC");
    }

    /** Ends what was kept. */
    @Override
    public void close() throws IOException {
        for (ChildJvm child : kept.values()) {
            child.close();
            delete(child.directory());
        }
        kept.clear();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
