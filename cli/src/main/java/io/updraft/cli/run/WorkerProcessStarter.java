package io.updraft.cli.run;

import io.updraft.cli.log.LogFile;
import io.updraft.cluster.coordinator.LocalWorkers;
import io.updraft.cluster.process.WorkerOutput;
import io.updraft.cluster.process.WorkerSettings;
import io.updraft.engine.EngineStarter;
import io.updraft.storm.program.ProgramFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Starts workers for the command line. Their logs are next to this process' log; their output goes to this process' output. */
final class WorkerProcessStarter {
    private static final String CONFIGURATION_PROPERTY = "log4j2.configurationFile";

    private WorkerProcessStarter() {}

    /** Returns the starter of topologies in worker processes, which reports lines to the user, such as of a restart. Each worker has
     * the jar of the program that submits the topology. */
    static EngineStarter starter(Consumer<String> report) {
        Path heapDumps = LogFile.stateDirectory().resolve("heapdumps");
        try {
            Files.createDirectories(heapDumps);
        } catch (IOException e) {
            throw new UserError(
                    heapDumps + " cannot be created for heap dumps of workers (" + e.getMessage()
                            + "); set XDG_STATE_HOME to a writable directory",
                    e);
        }
        return (topology, conf, options) -> LocalWorkers.starter(
                        new WorkerSettings(ProgramFiles.ofCallingThread(), logOptions(), heapDumps, new Output(report)))
                .start(topology, conf, options);
    }

    /** Returns JVM options that set the log of a worker. {@code %ID%} stands for the worker's number; in Storm, for its port. */
    private static List<String> logOptions() {
        String own = LogFile.path().toString();
        String log = own.endsWith(".log") ? own.substring(0, own.length() - ".log".length()) : own;
        String configuration = System.getProperty(CONFIGURATION_PROPERTY);
        return List.of(
                "-Dupdraft.log=" + log + "-worker-%ID%.log",
                "-D" + CONFIGURATION_PROPERTY + "=" + (configuration == null ? "" : configuration));
    }

    private record Output(Consumer<String> report) implements WorkerOutput {
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
            report.accept(line);
        }
    }
}
