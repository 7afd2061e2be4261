package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.peer.PeerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Processes of one consumer group. Each has a numbered place, by which it is started, killed and paused. Logs of ended
 * processes are kept. One thread only.
 */
final class ProcessGroup implements AutoCloseable {

    private static final long SIGNAL_SECONDS = 10;

    /** Processes are killed often and must start fast; compiling only with C1 makes them start faster. */
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Dupdraft.bench.log=INFO");

    private final String job;
    private final String heap;
    private final Path directory;
    private final PeerJvm[] places;
    private final boolean[] paused;
    private final List<String> endings = new ArrayList<>();
    private long recordsOfEnded;
    private int started;

    /**
     * Creates a fleet without starting its processes.
     *
     * @param job the job of each process
     * @param heap the heap of each process
     * @param directory an existing directory for the logs
     */
    ProcessGroup(String job, int processes, String heap, Path directory) {
        this.job = job;
        this.heap = heap;
        this.directory = directory;
        places = new PeerJvm[processes];
        paused = new boolean[processes];
    }

    int places() {
        return places.length;
    }

    boolean isRunning(int place) {
        return places[place] != null;
    }

    boolean isPaused(int place) {
        return paused[place];
    }

    /** Starts a process at a place. Log directories are numbered in the order of starts, from 0. */
    void start(int place) throws IOException {
        Path its = Files.createDirectory(directory.resolve("process-" + started++));
        places[place] = new PeerJvm(PeerMain.class, job, heap, PeerClassPaths.updraft(), its, OPTIONS);
        paused[place] = false;
    }

    /** {@code kill -9}. */
    void kill(int place) throws IOException {
        recordsOfEnded += places[place].lastUsage().records();
        places[place].kill();
        places[place] = null;
        paused[place] = false;
    }

    /** {@code kill -STOP}. */
    void pause(int place) throws IOException, InterruptedException {
        signal("-STOP", place);
        paused[place] = true;
    }

    /** {@code kill -CONT}. */
    void resume(int place) throws IOException, InterruptedException {
        signal("-CONT", place);
        paused[place] = false;
    }

    private void signal(String signal, int place) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder(
                        "kill", signal, String.valueOf(places[place].process().pid()))
                .inheritIO()
                .start();
        if (!kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("kill " + signal + " of the process with log " + places[place].log() + " failed");
        }
    }

    /** Restarts processes that have ended unexpectedly, as a supervisor would, and records the reasons. */
    void restartEnded() throws IOException {
        for (int place = 0; place < places.length; place++) {
            if (places[place] != null && places[place].problem() != null) {
                endings.add(places[place].problem() + " (" + places[place].log() + ")");
                kill(place);
                start(place);
            }
        }
    }

    /** {@return the reason of each unexpected end of a process} */
    List<String> endings() {
        return List.copyOf(endings);
    }

    /** {@return the records read by all processes, including dead ones, as of their last reports} */
    long records() {
        long records = recordsOfEnded;
        for (PeerJvm each : places) {
            records += each == null ? 0 : each.lastUsage().records();
        }
        return records;
    }

    @Override
    public void close() throws IOException {
        for (int place = 0; place < places.length; place++) {
            if (places[place] != null) {
                kill(place);
            }
        }
    }
}
