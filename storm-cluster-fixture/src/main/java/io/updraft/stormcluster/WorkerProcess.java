package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * A worker that a Supervisor has started.
 *
 * @param topologyId the topology that it runs
 * @param port the slot's port
 * @param id Storm's name of this worker; a new one for each start
 * @param mainClass what it runs
 * @param process the JVM
 */
public record WorkerProcess(String topologyId, int port, String id, String mainClass, ProcessHandle process) {

    private static final String STOCK = "org.apache.storm.daemon.worker.Worker";

    /** What follows the main class on a worker's command line: topology, supervisor, its port, worker's port, worker. */
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

    /** {@return whether it is Storm's own worker} */
    public boolean isStock() {
        return mainClass.equals(STOCK);
    }

    /** Stops it for a while, as {@code kill -STOP} does. */
    public void pause() {
        signal("STOP");
    }

    /** Lets it go on. */
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

    /** Kills it as {@code kill -9} does, and returns when it is dead. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
