package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.peer.PeerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Processes of one group, each in a place of its own: killed, paused and started anew by their place. Their logs stay until all are
 * done with. One thread only.
 */
final class Fleet implements AutoCloseable {

    private static final long SIGNAL_SECONDS = 10;

    /** Processes that are killed soon are to start soon: without the compiler that takes long. */
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Dupdraft.bench.log=INFO");

    private final String job;
    private final String heap;
    private final Path directory;
    private final ChildJvm[] places;
    private final boolean[] paused;
    private final List<String> endings = new ArrayList<>();
    private long recordsOfTheDead;
    private int started;

    /**
     * A fleet that has not started yet.
     *
     * @param job what each does
     * @param processes how many
     * @param heap of each
     * @param directory is there, for the logs
     */
    Fleet(String job, int processes, String heap, Path directory) {
        this.job = job;
        this.heap = heap;
        this.directory = directory;
        places = new ChildJvm[processes];
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

    /** {@return which process it is: they are counted as they start, from 0} */
    void start(int place) throws IOException {
        Path its = Files.createDirectory(directory.resolve("process-" + started++));
        places[place] = new ChildJvm(PeerMain.class, job, heap, ClassPaths.updraft(), its, OPTIONS);
        paused[place] = false;
    }

    /** {@code kill -9}. */
    void kill(int place) throws IOException {
        recordsOfTheDead += places[place].last().records();
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
            throw new IOException("kill " + signal + " of process " + places[place].log() + " has failed");
        }
    }

    /** Starts those anew that have ended by themselves, as a supervisor would, and notes why they did. */
    void revive() throws IOException {
        for (int place = 0; place < places.length; place++) {
            if (places[place] != null && places[place].problem() != null) {
                endings.add(places[place].problem() + " (" + places[place].log() + ")");
                kill(place);
                start(place);
            }
        }
    }

    /** {@return of each process that ended by itself, why} */
    List<String> endings() {
        return List.copyOf(endings);
    }

    /** {@return records that all its processes have read, those of dead ones with them, as of a moment ago} */
    long records() {
        long records = recordsOfTheDead;
        for (ChildJvm each : places) {
            records += each == null ? 0 : each.last().records();
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
