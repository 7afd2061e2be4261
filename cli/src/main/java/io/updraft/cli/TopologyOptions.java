package io.updraft.cli;

import io.updraft.base.exit.UserError;
import io.updraft.cluster.local.WorkerConf;
import io.updraft.storm.conf.ConfigException;
import io.updraft.storm.conf.StormConfig;
import io.updraft.transport.TransportNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.Config;
import picocli.CommandLine.Option;

/** The options that say how topologies run. */
final class TopologyOptions {
    @Option(
            names = {"-c", "--conf"},
            paramLabel = "KEY=VALUE",
            description = "Set a configuration key, over the program's own value. VALUE is read as JSON if it parses as"
                    + " JSON, else as text. Repeatable.")
    private List<String> options = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Read settings from a file like storm.yaml. The program's settings and -c override them."
                    + " Repeatable; the last file wins.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--loops",
            paramLabel = "N",
            description = "Number of event loops, one thread each (updraft.loops). Default: one per core.")
    private Integer loops;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Run in 1 to 256 worker processes on this host (topology.workers). Default: run in this"
                    + " process. JVM options of workers: worker.childopts, topology.worker.childopts,"
                    + " topology.worker.gc.childopts.")
    private Integer workers;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            completionCandidates = CompletionWords.Transports.class,
            description = "Transport between workers (updraft.transport.local): netty, aeron, ucx, zeromq. Default:"
                    + " netty.")
    private String transport;

    /** {@return what is wrong with the options; null if nothing is} */
    String complaint() {
        if (loops != null && loops < 1) {
            return "--loops must be at least 1";
        }
        if (workers != null && (workers < 1 || workers > WorkerConf.MAX_WORKERS)) {
            return "--workers must be from 1 to " + WorkerConf.MAX_WORKERS;
        }
        if (workers == null && transport != null) {
            return "--transport is for workers: add --workers N, or remove --transport";
        }
        return null;
    }

    boolean hasWorkers() {
        return workers != null;
    }

    /** {@return the settings; throws {@link UserError} when they cannot be read} */
    StormConfig config() {
        List<String> all = new ArrayList<>(options);
        addIfGiven(all, "updraft.loops", loops);
        addIfGiven(all, Config.TOPOLOGY_WORKERS, workers);
        addIfGiven(all, TransportNames.LOCAL, transport);
        try {
            return StormConfig.read(files, all);
        } catch (ConfigException e) {
            throw new UserError(e.getMessage(), e);
        }
    }

    private static void addIfGiven(List<String> all, String key, Object value) {
        if (value != null) {
            all.add(key + "=" + value);
        }
    }
}
