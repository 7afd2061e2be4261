package io.updraft.cluster.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/**
 * The command line of a worker's JVM. Nothing secret is on it.
 *
 * @param words the program and its arguments
 * @param heapDumps where the JVM leaves its heap when it runs out of memory: a directory, or a file
 */
record WorkerCommand(List<String> words, Path heapDumps) {
    /** The first Java that warns of native access and of Unsafe. */
    private static final int NATIVE_ACCESS_FROM = 24;

    private static final String HEAP_DUMP_PATH = "-XX:HeapDumpPath=";
    private static final int FIRST_PORT = 6700;

    /** Of the machine's memory, for the heaps of all workers together. */
    private static final double HEAP_PERCENT = 50;

    /**
     * Puts those of all workers together, in the order of their numbers.
     *
     * @throws IllegalArgumentException when the configuration makes no sense; the message is one line for people
     */
    static List<WorkerCommand> all(WorkerSettings settings, Map<String, Object> conf, String topologyId, int workers) {
        return IntStream.range(0, workers)
                .mapToObj(worker -> of(settings, conf, topologyId, worker, workers))
                .toList();
    }

    /**
     * Puts it together. Options of the configuration come last: the JVM lets the last one win.
     *
     * @param settings how workers are started
     * @param conf the whole configuration
     * @param topologyId the topology's id
     * @param worker the worker's number
     * @param workers number of workers
     */
    static WorkerCommand of(
            WorkerSettings settings, Map<String, Object> conf, String topologyId, int worker, int workers) {
        Map<String, String> names = names(conf, topologyId, worker);
        List<String> chosen = new ArrayList<>(ChildOptions.parse("jvmOptions", settings.jvmOptions(), names));
        chosen.addAll(ChildOptions.of(conf, names));
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (chosen.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"))) {
            // Two collectors on one command line are an error of the JVM's, not a choice.
            words.add("-XX:+UseParallelGC");
        }
        words.add(String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.2f", HEAP_PERCENT / workers));
        words.add("-Xshare:auto");
        // For the transport aeron, whose buffers ask the JDK's Unsafe.
        words.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        if (Runtime.version().feature() >= NATIVE_ACCESS_FROM) {
            // For the native parts of netty and ucx; without it the JVM warns.
            words.add("--enable-native-access=ALL-UNNAMED");
            // For Kryo and Aeron: likewise.
            words.add("--sun-misc-unsafe-memory-access=allow");
        }
        words.add("-XX:+HeapDumpOnOutOfMemoryError");
        words.add(HEAP_DUMP_PATH + settings.heapDumps());
        words.addAll(chosen);
        Path heapDumps = heapDumps(words);
        words.add("-cp");
        words.add(System.getProperty("java.class.path"));
        words.add(WorkerMain.class.getName());
        words.add(topologyId);
        words.add(String.valueOf(worker));
        return new WorkerCommand(List.copyOf(words), heapDumps);
    }

    /**
     * Looks for the heap that a process left behind.
     *
     * @param pid the process
     * @param since when it was started, milliseconds since the epoch
     * @return the file, or null if there is none
     */
    Path heapDumpOf(long pid, long since) {
        Path file = Files.isDirectory(heapDumps) ? heapDumps.resolve("java_pid" + pid + ".hprof") : heapDumps;
        return file.toFile().lastModified() >= since ? file.toAbsolutePath() : null;
    }

    private static Path heapDumps(List<String> options) {
        String last = options.stream()
                .filter(option -> option.startsWith(HEAP_DUMP_PATH))
                .reduce((first, second) -> second)
                .orElseThrow();
        return Path.of(last.substring(HEAP_DUMP_PATH.length()));
    }

    private static Map<String, String> names(Map<String, Object> conf, String topologyId, int worker) {
        String port = String.valueOf(FIRST_PORT + worker);
        int heap = ObjectReader.getInt(conf.get(Config.WORKER_HEAP_MEMORY_MB), 768);
        return Map.of(
                "%ID%", port,
                "%WORKER-PORT%", port,
                "%WORKER-ID%", topologyId + "-worker-" + worker,
                "%TOPOLOGY-ID%", topologyId,
                "%HEAP-MEM%", String.valueOf(heap));
    }
}
