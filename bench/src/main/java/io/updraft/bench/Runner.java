package io.updraft.bench;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;

/** Runs one shape once, on one side, in a fresh JVM. */
final class Runner {

    private final Request request;
    private final Console console;
    private final String stormClassPath;

    Runner(Request request, Console console) {
        this.request = request;
        this.console = console;
        this.stormClassPath = request.vsStorm() ? ClassPaths.storm(request.jvm().stormLibrary()) : null;
    }

    RunResult run(Side side, Shape shape, StormSettings settings) throws IOException, InterruptedException {
        Request.Timing timing = request.timing();
        return run(side, shape, settings, timing.warmupMillis(), timing.testMillis());
    }

    RunResult run(Side side, Shape shape, StormSettings settings, long warmupMillis, long testMillis)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("updraft-bench-");
        String classPath = side == Side.STORM ? stormClassPath : ClassPaths.updraft();
        ChildJvm child = new ChildJvm(classPath, request.jvm().heap(), directory, console.rows(shape.messageSize()));
        RunResult result = child.run(new RunSpec(
                side.clusterClass(),
                shape,
                conf(side, shape, settings),
                warmupMillis,
                testMillis,
                request.timing().pollMillis()));
        delete(result.valid() ? directory : directory.resolve("tmp"));
        report(side, result, directory);
        return result;
    }

    private void report(Side side, RunResult result, Path directory) {
        if (!result.valid()) {
            console.say("INVALID run on " + side.title() + ":");
            result.problems().stream().limit(10).forEach(problem -> console.say("  " + problem));
            console.say("  log: " + directory.resolve("child.log"));
        }
    }

    private Map<String, Object> conf(Side side, Shape shape, StormSettings settings) {
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put(Config.TOPOLOGY_WORKERS, 1);
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, shape.acked() ? request.ackers() : 0);
        if (request.maxSpoutPending() > 0) {
            conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, request.maxSpoutPending());
        }
        if (side == Side.STORM) {
            conf.putAll(settings.conf());
        }
        conf.putAll(request.conf());
        if (side == Side.STORM) {
            conf.putAll(request.stormConf());
        }
        return conf;
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
