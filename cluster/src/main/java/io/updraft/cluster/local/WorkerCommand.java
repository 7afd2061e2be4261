package io.updraft.cluster.local;

import io.updraft.cluster.local.ExitReason.LeftFiles;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.storm.launch.SystemClassLoader;
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
import org.apache.storm.utils.Utils;

/**
 * The command line of a worker's JVM. It contains no secret.
 *
 * @param words the program and its arguments
 * @param heapDumps where the JVM writes its heap dump when memory runs out: a directory, or a file
 * @param crashReports the file into which the JVM writes a report of its own crash; {@code %p} stands for its process id
 */
record WorkerCommand(List<String> words, Path heapDumps, String crashReports) {
    /** The first Java version that warns of native access and of Unsafe. */
    private static final int NATIVE_ACCESS_FROM = 24;

    private static final String HEAP_DUMP_PATH = "-XX:HeapDumpPath=";
    private static final String ERROR_FILE = "-XX:ErrorFile=";
    private static final String LOG_FILE = "-Dupdraft.log=";
    private static final int FIRST_PORT = 6700;

    /** Percentage of the machine's memory for the heaps of all workers together. */
    private static final double HEAP_PERCENT = 50;

    /**
     * Builds the command lines of all workers.
     *
     * @param conf the whole configuration
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
        // Finds the classes of the program's jar, as the system class loader of a Storm worker does. With a custom
        // loader the
        // JVM warns that it cannot use archived classes, unless they are disabled.
        words.add("-Djava.system.class.loader=" + SystemClassLoader.class.getName());
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
     * @param since when the process was started, milliseconds since the epoch
     */
    public LeftFiles tracesOf(WorkerProcess process, long since) {
        long pid = process.pid();
        Path heap = Files.isDirectory(heapDumps) ? heapDumps.resolve("java_pid" + pid + ".hprof") : heapDumps;
        Path report = Path.of(crashReports.replace("%p", String.valueOf(pid)));
        return new LeftFiles(ifNew(heap, since), process.dumpTrouble(), ifNew(report, since));
    }

    /** {@return the directory in which the worker writes its capsule; null for none} */
    public DeathDirectory deaths() {
        Path directory = pathAfter("-D" + WorkerMain.DEATHS_PROPERTY + "=");
        return directory == null ? null : new DeathDirectory(directory);
    }

    /** {@return the log of the worker; null if the configuration of its logger names another one} */
    public Path log() {
        return pathAfter(LOG_FILE);
    }

    private Path pathAfter(String option) {
        return words.stream()
                .filter(word -> word.startsWith(option))
                .reduce((first, second) -> second)
                .map(word -> Path.of(word.substring(option.length())))
                .orElse(null);
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

    /**
     * Builds the JVM options of a worker in the order of Storm's supervisor ({@code BasicContainer}): {@code worker.childopts},
     * {@code topology.worker.childopts}, then {@code topology.worker.gc.childopts} or else {@code worker.gc.childopts}. A string is
     * split at white space, without regard to quotes. The items of a list are taken as they are.
     *
     * <p>Storm's own default of {@code worker.childopts} is left out. It requests 768 MB and log files in a supervisor's directory.
     * Updraft chooses its own default instead.
     */
    static final class ChildOptions {
        private ChildOptions() {}

        /** Builds the options. The replacements for {@code %ID%} and the others are by name, with the percent signs. */
        static List<String> of(Map<String, Object> conf, Map<String, String> names) {
            List<String> options = new ArrayList<>();
            Object value = conf.get(Config.WORKER_CHILDOPTS);
            if (value != null && !value.equals(Defaults.WORKER_CHILDOPTS)) {
                options.addAll(parse(Config.WORKER_CHILDOPTS, value, names));
            }
            options.addAll(parse(Config.TOPOLOGY_WORKER_CHILDOPTS, conf.get(Config.TOPOLOGY_WORKER_CHILDOPTS), names));
            String gc = conf.get(Config.TOPOLOGY_WORKER_GC_CHILDOPTS) == null
                    ? Config.WORKER_GC_CHILDOPTS
                    : Config.TOPOLOGY_WORKER_GC_CHILDOPTS;
            options.addAll(parse(gc, conf.get(gc), names));
            return options;
        }

        static List<String> parse(String key, Object value, Map<String, String> names) {
            List<String> options = new ArrayList<>();
            if (value instanceof String text) {
                for (String option : replace(text, names).split("\\s+")) {
                    add(options, option);
                }
            } else if (value instanceof List<?> list) {
                list.forEach(option -> add(options, replace(String.valueOf(option), names)));
            } else if (value != null) {
                throw new IllegalArgumentException(
                        key + " is '" + value + "': it must be a string or a list of strings");
            }
            return options;
        }

        private static void add(List<String> options, String option) {
            if (!option.isBlank()) {
                options.add(option);
            }
        }

        private static String replace(String text, Map<String, String> names) {
            String result = text;
            for (Map.Entry<String, String> name : names.entrySet()) {
                result = result.replace(name.getKey(), name.getValue());
            }
            return result;
        }

        /** Loaded on first use, because reading Storm's defaults takes time. */
        private static final class Defaults {
            static final Object WORKER_CHILDOPTS = Utils.readDefaultConfig().get(Config.WORKER_CHILDOPTS);
        }
    }
}
