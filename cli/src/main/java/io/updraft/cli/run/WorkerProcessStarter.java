package io.updraft.cli.run;

import io.updraft.base.exit.UserError;
import io.updraft.cluster.local.LocalWorkers;
import io.updraft.cluster.local.WorkerMain;
import io.updraft.cluster.local.WorkerOutput;
import io.updraft.cluster.local.WorkerSettings;
import io.updraft.engine.api.EngineStarter;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.inspection.StateDirectory;
import io.updraft.storm.program.ProgramFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Starts workers for the command line. Their logs are next to this process' log; their output goes to this process' output. */
final class WorkerProcessStarter {
    private static final String CONFIGURATION_PROPERTY = "log4j2.configurationFile";

    private WorkerProcessStarter() {}

    /** Returns the starter of topologies in worker processes, which reports lines to the user, such as of a restart. Each worker has
     * the jar of the program that submits the topology, and opens its socket in the directory of the run's sockets, if there is one. */
    static EngineStarter starter(Consumer<String> report, Supplier<Path> sockets) {
        Path heapDumps = StateDirectory.path().resolve("heapdumps");
        try {
            StateDirectory.ownersOnly(heapDumps);
        } catch (IOException e) {
            throw new UserError(
                    heapDumps + " cannot be created for heap dumps of workers (" + e.getMessage()
                            + "); set XDG_STATE_HOME to a writable directory",
                    e);
        }
        return (topology, conf, engineOptions) -> LocalWorkers.starter(new WorkerSettings(
                        ProgramFiles.ofCallingThread(), options(sockets.get()), heapDumps, new Output(report)))
                .start(topology, conf, engineOptions);
    }

    private static List<String> options(Path sockets) {
        List<String> options = new ArrayList<>(logOptions());
        options.add("-D" + WorkerMain.DEATHS_PROPERTY + "="
                + DeathDirectory.in(StateDirectory.path()).path());
        if (sockets != null) {
            options.add("-D" + WorkerMain.SOCKETS_PROPERTY + "=" + sockets);
        }
        return options;
    }

    /** Returns JVM options that set the log of a worker. {@code %ID%} stands for the worker's number; in Storm, for its port. */
    private static List<String> logOptions() {
        String path = LogFile.path().toString();
        String log = path.endsWith(".log") ? path.substring(0, path.length() - ".log".length()) : path;
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
