package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * A worker process that a Supervisor has started.
 *
 * @param topologyId the id of its topology
 * @param port the port of its slot
 * @param id Storm's id of this worker, which is new at each start
 * @param mainClass its main class
 * @param process its JVM
 */
public record WorkerProcess(String topologyId, int port, String id, String mainClass, ProcessHandle process) {

    private static final String STOCK = "org.apache.storm.daemon.worker.Worker";

    /**
     * The number of arguments after the main class on a worker's command line: topology, supervisor, its port, worker's port,
     * worker.
     */
    private static final int ARGUMENTS = 5;

    /** Recognizes a worker by its command line; its parent, Storm's LogWriter, ends in the same arguments. */
    static Optional<WorkerProcess> of(ProcessHandle process) {
        List<String> command = Mark.commandLine(process.pid());
        int first = command.size() - ARGUMENTS;
        if (first < 2
                || command.contains("org.apache.storm.LogWriter")
                || !command.contains("-Dworker.id=" + command.get(command.size() - 1))) {
            return Optional.empty();
        }
        return Optional.of(new WorkerProcess(
                command.get(first),
                Integer.parseInt(command.get(first + 3)),
                command.get(first + 4),
                command.get(first - 1),
                process));
    }

    /** {@return whether this is Storm's own worker} */
    public boolean isStock() {
        return mainClass.equals(STOCK);
    }

    /** Pauses the process, as {@code kill -STOP} does. */
    public void pause() {
        signal("STOP");
    }

    /** Resumes the process. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process as {@code kill -9} does, and returns after its death. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
