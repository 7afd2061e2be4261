package io.updraft.cluster.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The memory of a process at some time, in bytes.
 *
 * @param worker the worker's number, or {@link #COORDINATOR}
 * @param generation number of earlier processes of the worker
 * @param seconds since the soak began
 * @param age seconds since the process was first seen
 * @param own memory of its own, without mapped files such as its libraries and the soak's records
 * @param shared memory that it shares with others
 * @param heap the heap after a full collection
 * @param direct buffers outside of the heap that Java tracks
 * @param files open file descriptors
 * @param threads all threads
 */
record WorkerSample(
        int worker,
        int generation,
        double seconds,
        double age,
        long own,
        long shared,
        long heap,
        long direct,
        int files,
        int threads) {
    static final int COORDINATOR = -1;
    static final String TITLES = String.format(
            Locale.ROOT,
            "%6s %-15s %6s %9s %9s %9s %9s %6s %7s",
            "s",
            "process",
            "age s",
            "own MiB",
            "shared",
            "heap MiB",
            "direct",
            "files",
            "threads");

    private static final double MIB = 1024 * 1024;

    /** Looks at a process. {@return nothing if it is gone} */
    static Stream<WorkerSample> of(int worker, int generation, double seconds, double age, long pid, OwnMemory said) {
        try {
            Status status = new Status(Files.readString(Path.of("/proc/" + pid + "/status")));
            return Stream.of(new WorkerSample(
                    worker,
                    generation,
                    seconds,
                    age,
                    1024 * status.value("RssAnon"),
                    1024 * status.value("RssShmem"),
                    said.heapAfterGc(),
                    said.direct(),
                    files(pid),
                    (int) status.value("Threads")));
        } catch (IOException gone) {
            return Stream.empty();
        }
    }

    private static int files(long pid) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return (int) open.count();
        }
    }

    private record Status(String text) {

        long value(String key) throws IOException {
            return text.lines()
                    .filter(line -> line.startsWith(key + ":"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElseThrow(() -> new IOException("the process is about to go: it has no " + key));
        }
    }

    String who() {
        return worker == COORDINATOR ? "coordinator" : "worker " + worker + ", " + (generation + 1) + ".";
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%6.0f %-15s %6.0f %9.1f %9.1f %9.1f %9.1f %6d %7d",
                seconds,
                who(),
                age,
                own / MIB,
                shared / MIB,
                heap / MIB,
                direct / MIB,
                files,
                threads);
    }
}
