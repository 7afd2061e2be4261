package io.updraft.cluster.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The processes of the workers, as the operating system shows them, and the faults injected into them. */
final class ObservedProcesses {
    private static final String MAIN = "io.updraft.cluster.local.WorkerMain";

    /** One process of a worker. */
    record Life(int worker, int generation, long pid, double since) {}

    private final Map<Long, Life> lives = new HashMap<>();
    private final Map<Integer, Integer> generations = new HashMap<>();
    private final Set<Long> stopped = new HashSet<>();
    private final Map<Long, Double> killed = new HashMap<>();

    /** {@return those that live, and are noted} */
    List<Life> look(double now) {
        List<Life> living = new ArrayList<>();
        ProcessHandle.current()
                .children()
                .forEach(process -> worker(process).forEach(worker -> {
                    Life life = lives.get(process.pid());
                    if (life == null) {
                        life = new Life(worker, generations.merge(worker, 1, Integer::sum) - 1, process.pid(), now);
                        lives.put(process.pid(), life);
                    }
                    living.add(life);
                }));
        return living;
    }

    /** The number of the worker that a process is, its last argument; nothing if it is none. */
    private static Stream<Integer> worker(ProcessHandle process) {
        try {
            // ProcessHandle knows no command line that is longer than a page, as one with a class path is.
            String[] words = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .split("\0");
            boolean isWorker = Stream.of(words).anyMatch(MAIN::equals);
            return isWorker ? Stream.of(Integer.valueOf(words[words.length - 1])) : Stream.empty();
        } catch (IOException gone) {
            return Stream.empty();
        }
    }

    List<WorkerSample> weigh(Path directory, double now) throws IOException {
        List<WorkerSample> samples = new ArrayList<>();
        for (Life life : look(now)) {
            OwnMemory own = OwnMemory.of(directory, life.pid());
            if (own != null && !stopped.contains(life.pid())) {
                WorkerSample.of(life.worker(), life.generation(), now, now - life.since(), life.pid(), own)
                        .forEach(samples::add);
            }
        }
        return samples;
    }

    /** {@return all that ever were, but those after whose death by so many seconds no other one was started} */
    Set<Long> pidsWithSuccessors(double seconds) {
        double last = lives.values().stream().mapToDouble(Life::since).max().orElse(0);
        Set<Long> pids = new HashSet<>(lives.keySet());
        pids.removeIf(pid -> killed.getOrDefault(pid, 0.0) + seconds > last);
        return pids;
    }

    void kill(Life life, double now) throws IOException, InterruptedException {
        signal("KILL", life.pid());
        killed.put(life.pid(), now);
        stopped.remove(life.pid());
    }

    void stop(Life life) throws IOException, InterruptedException {
        signal("STOP", life.pid());
        stopped.add(life.pid());
    }

    void goOn() throws IOException, InterruptedException {
        for (long pid : stopped) {
            signal("CONT", pid);
        }
        stopped.clear();
    }

    /** One that has just ended cannot be signalled, and need not be. */
    private static void signal(String name, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .redirectErrorStream(true)
                .start();
        if (!kill.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("kill -" + name + " " + pid + " does not end");
        }
    }
}
