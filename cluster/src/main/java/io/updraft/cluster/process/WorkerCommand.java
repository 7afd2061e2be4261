package io.updraft.cluster.process;

import io.updraft.cluster.local.WorkerMain;
import io.updraft.cluster.process.ExitReason.LeftFiles;
import io.updraft.storm.launch.SharedClassLoader;
import io.updraft.storm.program.TopologyClasspath;
import java.io.File;
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
 * The command line of a worker's JVM. It contains no secret.
 *
 * @param words the program and its arguments
 * @param heapDumps where the JVM writes its heap dump when memory runs out: a directory, or a file
 * @param crashReports the file into which the JVM writes a report of its own crash; {@code %p} stands for its process id
 */
public record WorkerCommand(List<String> words, Path heapDumps, String crashReports) {
    /** The first Java version that warns of native access and of Unsafe. */
    private static final int NATIVE_ACCESS_FROM = 24;

    private static final String HEAP_DUMP_PATH = "-XX:HeapDumpPath=";
    private static final String ERROR_FILE = "-XX:ErrorFile=";
    private static final int FIRST_PORT = 6700;

    /** Percentage of the machine's memory for the heaps of all workers together. */
    private static final double HEAP_PERCENT = 50;

    /**
     * Builds the command lines of all workers.
     *
     * @param settings the settings with which workers are started
     * @param conf the whole configuration
     * @param topologyId the topology's id
     * @param workers number of workers
     * @return the command lines, in the order of the workers' numbers
     * @throws IllegalArgumentException when the configuration is invalid; the message is one readable line
     */
    public static List<WorkerCommand> all(
            WorkerSettings settings, Map<String, Object> conf, String topologyId, int workers) {
        return IntStream.range(0, workers)
                .mapToObj(worker -> of(settings, conf, topologyId, worker, workers))
                .toList();
    }

    /** Builds the command line of a worker. Options of the configuration come last, because the JVM uses the last one. */
    static WorkerCommand of(
            WorkerSettings settings, Map<String, Object> conf, String topologyId, int worker, int workers) {
        Map<String, String> names = names(conf, topologyId, worker);
        List<String> chosen = new ArrayList<>(ChildOptions.parse("jvmOptions", settings.jvmOptions(), names));
        chosen.addAll(ChildOptions.of(conf, names));
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (chosen.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"))) {
            // The JVM rejects a command line with two collectors.
            words.add("-XX:+UseParallelGC");
        }
        words.add(String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.2f", HEAP_PERCENT / workers));
        // For the aeron transport, whose buffers use the JDK's internal Unsafe.
        words.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        // Storm's client finds the classes of the program's jar with this system class loader. With a custom loader the
        // JVM warns that it cannot use archived classes, unless they are disabled.
        words.add("-Djava.system.class.loader=" + SharedClassLoader.class.getName());
        words.add("-Xshare:off");
        if (Runtime.version().feature() >= NATIVE_ACCESS_FROM) {
            // For the native libraries of netty and ucx; without the option the JVM warns.
            words.add("--enable-native-access=ALL-UNNAMED");
            // For Kryo and Aeron, for the same reason.
            words.add("--sun-misc-unsafe-memory-access=allow");
        }
        // Otherwise a frequent exception loses its message and its stack trace.
        words.add("-XX:-OmitStackTraceInFastThrow");
        words.add("-XX:+HeapDumpOnOutOfMemoryError");
        words.add(HEAP_DUMP_PATH + settings.heapDumps());
        words.add(ERROR_FILE + settings.heapDumps().resolve("hs_err_pid%p.log"));
        words.addAll(chosen);
        Path heapDumps = Path.of(last(words, HEAP_DUMP_PATH));
        String crashReports = last(words, ERROR_FILE);
        words.add("-cp");
        words.add(classpath(settings, conf));
        words.add(WorkerMain.class.getName());
        words.add(topologyId);
        words.add(String.valueOf(worker));
        return new WorkerCommand(List.copyOf(words), heapDumps, crashReports);
    }

    /**
     * Finds the files that a process left behind.
     *
     * @param process the process
     * @param since when the process was started, milliseconds since the epoch
     * @return the files that are newer
     */
    public LeftFiles tracesOf(WorkerJvm process, long since) {
        long pid = process.pid();
        Path heap = Files.isDirectory(heapDumps) ? heapDumps.resolve("java_pid" + pid + ".hprof") : heapDumps;
        Path report = Path.of(crashReports.replace("%p", String.valueOf(pid)));
        return new LeftFiles(ifNew(heap, since), process.dumpTrouble(), ifNew(report, since));
    }

    private static Path ifNew(Path file, long since) {
        // Some file systems store whole seconds only.
        return file.toFile().lastModified() >= since - since % 1_000 ? file.toAbsolutePath() : null;
    }

    private static String last(List<String> options, String name) {
        return options.stream()
                .filter(option -> option.startsWith(name))
                .reduce((first, second) -> second)
                .orElseThrow()
                .substring(name.length());
    }

    /**
     * Returns the class path of this process, followed by the topology's additions. For a program with its own class loader the
     * additions come after its jar. They must not be on the class path as well, because their classes may need classes of the
     * jar.
     */
    private static String classpath(WorkerSettings settings, Map<String, Object> conf) {
        List<String> entries = new ArrayList<>(List.of(System.getProperty("java.class.path")));
        if (settings.program().isEmpty()) {
            entries.addAll(TopologyClasspath.entries(conf));
        }
        return String.join(File.pathSeparator, entries);
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
