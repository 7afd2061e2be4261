package io.updraft.stormcluster;

import java.util.List;
import java.util.Optional;

/**
 * A worker that a Supervisor has started.
 *
 * @param topologyId the topology that it runs
 * @param port the slot's port
 * @param id Storm's name of this worker; a new one for each start
 * @param process the JVM
 */
public record WorkerProcess(String topologyId, int port, String id, ProcessHandle process) {

    /** What follows the main class on a worker's command line: topology, supervisor, its port, worker's port, worker. */
    private static final int ARGUMENTS = 5;

    /** Recognizes a worker by its command line; its parent, Storm's LogWriter, ends in the same arguments. */
    static Optional<WorkerProcess> of(ProcessHandle process) {
        List<String> command = Mark.commandLine(process.pid());
        int first = command.size() - ARGUMENTS;
        if (first < 1
                || command.contains("org.apache.storm.LogWriter")
                || !command.contains("-Dworker.id=" + command.get(command.size() - 1))) {
            return Optional.empty();
        }
        return Optional.of(new WorkerProcess(
                command.get(first), Integer.parseInt(command.get(first + 3)), command.get(first + 4), process));
    }

    /** Kills it as {@code kill -9} does, and returns when it is dead. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
