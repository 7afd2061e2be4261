package io.updraft.bench.workers;

import io.updraft.cluster.local.LocalWorkers;
import io.updraft.cluster.local.WorkerOutput;
import io.updraft.cluster.local.WorkerSettings;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.program.ProgramFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;

/** Runs topologies in Updraft's worker processes. Workers' output goes to this process's output. */
public final class UpdraftWorkers implements WorkersRuntime {

    private static final String LOG_CONFIGURATION = "log4j2.configurationFile";

    private volatile Topology running;

    /** Used by reflection. */
    public UpdraftWorkers() {}

    @Override
    public WorkersTopology submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception {
        Topology started = new Topology(name);
        running = started;
        started.submit(conf, topology);
        return started;
    }

    @Override
    public void close() {
        Topology last = running;
        if (last != null) {
            last.close();
        }
    }

    private static final class Topology implements WorkersTopology, WorkerOutput {

        private final String name;
        private final UpdraftCluster cluster;
        private final List<String> reported = new CopyOnWriteArrayList<>();

        Topology(String name) {
            this.name = name;
            // The harness drains the topology before it closes it, so closing needs no drain.
            cluster = new UpdraftCluster.Builder()
                    .withEngines(LocalWorkers.starter(new WorkerSettings(
                            ProgramFiles.NONE, logOptions(), Path.of(System.getProperty("java.io.tmpdir")), this)))
                    .withDrainLimit(Duration.ZERO)
                    .build();
        }

        private static List<String> logOptions() {
            String configuration = System.getProperty(LOG_CONFIGURATION);
            return configuration == null ? List.of() : List.of("-D" + LOG_CONFIGURATION + "=" + configuration);
        }

        void submit(Map<String, Object> conf, StormTopology topology) throws Exception {
            try {
                cluster.submitTopology(name, conf, topology);
            } catch (Exception | LinkageError e) {
                cluster.close();
                throw e;
            }
        }

        @Override
        public List<ProcessHandle> workers() {
            try {
                LocalWorkers workers = (LocalWorkers) cluster.engine(name);
                return workers.pids().stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .toList();
            } catch (NotAliveException e) {
                return List.of();
            }
        }

        @Override
        public List<String> obituaries() {
            return List.copyOf(reported);
        }

        @Override
        public void close() {
            cluster.close();
        }

        @Override
        public void out(String line) {
            System.out.println(line);
        }

        @Override
        public void err(String line) {
            System.err.println(line);
        }

        @Override
        public void message(String line) {
            reported.add(line);
            System.err.println(line);
        }
    }
}
