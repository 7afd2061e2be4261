package io.updraft.bench;

import io.updraft.base.json.Json;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.cluster.local.WorkerConf;
import io.updraft.transport.TransportNames;
import io.updraft.transport.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the options and creates a {@link BenchRequest}. Throws {@link UsageError} for the first wrong option. */
final class RequestReader {

    private static final int WORD_COUNTERS = 4;

    /** With a larger exponent practically all words are the same. */
    private static final int LARGEST_ZIPF = 10;

    private static final int MOST_WORKERS = WorkerConf.MAX_WORKERS;
    private static final String ALL = "all";

    /** The order of transports in tables and figures; transports not listed follow. */
    private static final List<String> ORDER = List.of("netty", "zeromq", "aeron", "ucx");

    /** A frame between workers has at most 64 MiB; 64 KiB are left for the rest of the frame. */
    private static final int LARGEST_MESSAGE = (64 << 20) - (64 << 10);

    /** Number of messages that a spout prepares. */
    private static final long READY = 128;

    private static final String HEAP = "2g";
    private static final String WORKER_HEAP = "1g";

    private final BenchCommand options;

    RequestReader(BenchCommand options) {
        this.options = options;
    }

    BenchRequest read() {
        boolean suite = suite();
        List<Integer> sizes = ByteSizes.MESSAGES.parse(Objects.requireNonNullElse(options.messageSize, "10"));
        Map<String, Object> conf = values(options.conf);
        WorkersPlan workers = workers(conf);
        BenchRequest request = new BenchRequest(
                suite,
                shape(sizes.get(0)),
                sizes,
                workers,
                atLeast(1, "--ackers", options.ackers, 1),
                atLeast(1, "--maxSpoutPending", options.maxSpoutPending, 0),
                timing(suite || sizes.size() > 1 || workers.several()),
                peers(suite, workers),
                !options.noTune,
                conf,
                values(options.stormConf),
                heap(workers),
                json(),
                plot());
        if (request.sweep()
                && options.topology != null
                && !options.topology.equals("sol")
                && BenchTopology.NAMES.contains(options.topology)) {
            throw new UsageError(
                    "--messageSize",
                    options.messageSize,
                    options.topology + " has messages of its own: leave this option out");
        }
        checkWorkers(request);
        return request;
    }

    private boolean suite() {
        boolean shaped = options.ack
                || options.workers != null && options.workers != 1
                || Stream.of(
                                options.topology,
                                options.spouts,
                                options.bolts,
                                options.levels,
                                options.messageSize,
                                options.ackers,
                                options.maxSpoutPending,
                                options.rate,
                                options.zipf)
                        .anyMatch(Objects::nonNull);
        if (options.suite && shaped) {
            throw new UsageError(
                    "--suite",
                    "",
                    "measures fixed topologies: leave out --topology, --spout, --bolt, -l, "
                            + "--messageSize, --ack, --ackers, --maxSpoutPending, --rate, --zipf and --workers");
        }
        return !shaped;
    }

    private Shape shape(int messageSize) {
        String name = Objects.requireNonNullElse(options.topology, "sol");
        boolean trident = name.equals("tridentwords");
        boolean words = name.equals("wordcount") || trident;
        boolean windows = name.equals("windowsum");
        long rate = rate();
        if (rate > 0 && (words || windows)) {
            throw new UsageError("--rate", rate, "works only with --topology sol");
        }
        return new Shape(
                topology(name),
                atLeast(1, "--spout", options.spouts, 1),
                atLeast(1, "--bolt", options.bolts, words ? WORD_COUNTERS : 1),
                atLeast(1, "-l", options.levels, 1),
                messageSize,
                options.ack || rate > 0 || trident,
                rate,
                zipf(name));
    }

    private static String topology(String name) {
        try {
            BenchTopology.named(name);
            return name;
        } catch (IllegalArgumentException e) {
            throw new UsageError("--topology", name, e.getMessage());
        }
    }

    private long rate() {
        if (options.rate != null && options.rate < 1) {
            throw new UsageError("--rate", options.rate, "must be at least 1");
        }
        return options.rate == null ? 0 : options.rate;
    }

    private double zipf(String topology) {
        if (options.zipf == null) {
            return Shape.USUAL_ZIPF;
        }
        if (!(options.zipf >= 0 && options.zipf <= LARGEST_ZIPF)) { // also refuses what is no number
            throw new UsageError("--zipf", options.zipf, "must be a number from 0 to " + LARGEST_ZIPF);
        }
        if (!topology.equals("wordcount")) {
            throw new UsageError("--zipf", options.zipf, "works only with --topology wordcount");
        }
        return options.zipf;
    }

    private BenchRequest.Timing timing(boolean manyRuns) {
        return new BenchRequest.Timing(
                1000L * atLeast(0, "--warmup", options.warmup, 0),
                1000L * atLeast(1, "--testTime", options.testTime, 0),
                1000L * atLeast(0, "--pollFreq", options.pollFreq, manyRuns ? 0 : 1),
                atLeast(1, "--runs", options.runs, 0));
    }

    private Set<BenchSide> peers(boolean suite, WorkersPlan workers) {
        Set<BenchSide> peers = EnumSet.noneOf(BenchSide.class);
        if (options.versus != null) {
            Stream.of(options.versus.split(",", -1)).map(this::peer).forEach(peers::add);
        }
        if (peers.contains(BenchSide.FLINK)) {
            checkFlink(suite, workers);
        }
        return peers;
    }

    private BenchSide peer(String name) {
        return switch (name) {
            case "storm" -> BenchSide.STORM;
            case "flink" -> BenchSide.FLINK;
            default ->
                throw new UsageError(
                        "--vs", options.versus, "'" + name + "' is not a runtime; use storm, flink or both");
        };
    }

    private void checkFlink(boolean suite, WorkersPlan workers) {
        if (suite) {
            throw new UsageError(
                    "--vs", options.versus, "the suite runs on Storm only: add --topology wordcount for Flink");
        } else if (!"wordcount".equals(options.topology)) {
            throw new UsageError("--vs", options.versus, "only --topology wordcount runs on Flink");
        } else if (workers.several()) {
            throw new UsageError("--vs", options.versus, "Flink runs in one process: leave out --workers");
        }
    }

    private String heap(WorkersPlan workers) {
        String heap = Objects.requireNonNullElse(options.heap, workers.several() ? WORKER_HEAP : HEAP);
        if (!heap.matches("\\d{1,6}[mMgG]")) {
            throw new UsageError("--heap", heap, "must be a number of megabytes or gigabytes, such as 512m or 2g");
        }
        return heap;
    }

    private boolean json() {
        if (!List.of("table", "json").contains(options.format)) {
            throw new UsageError("--format", options.format, "must be table or json");
        }
        return options.format.equals("json");
    }

    private Path plot() {
        if (options.plot == null) {
            return null;
        }
        Path directory = options.plot.toAbsolutePath().getParent();
        if (!options.plot.toString().endsWith(".png") || !Files.isDirectory(directory)) {
            throw new UsageError("--plot", options.plot, "must be a .png file in an existing directory");
        }
        return options.plot;
    }

    private WorkersPlan workers(Map<String, Object> conf) {
        int count = Objects.requireNonNullElse(options.workers, 1);
        if (count < 1 || count > MOST_WORKERS) {
            throw new UsageError("--workers", count, "must be from 1 to " + MOST_WORKERS);
        }
        if (count == 1) {
            if (options.transport != null) {
                throw UsageError.ofOneWorker("--transport", options.transport);
            }
            StormClusterOption.isGiven(options.on, false);
            return WorkersPlan.NONE;
        }
        return new WorkersPlan(
                count, transports(conf), ALL.equals(options.transport), StormClusterOption.isGiven(options.on, true));
    }

    private List<String> transports(Map<String, Object> conf) {
        if (options.transport == null) {
            return List.of(TransportNames.of(conf).local());
        }
        List<String> names = optionNames();
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : options.transport.split(",", -1)) {
            if (name.equals(ALL)) {
                chosen.addAll(names);
            } else if (names.contains(name)) {
                chosen.add(name);
            } else {
                throw new UsageError(
                        "--transport",
                        options.transport,
                        "'" + name + "' is not a transport; use " + String.join(", ", names) + " or all");
            }
        }
        return List.copyOf(chosen);
    }

    /** {@return the names of the transports on the class path} */
    private static List<String> optionNames() {
        return Transports.names().stream()
                .sorted(Comparator.comparingInt(name -> ORDER.contains(name) ? ORDER.indexOf(name) : ORDER.size()))
                .toList();
    }

    /** Throws {@link UsageError} when a worker would have no executor, or when messages are too large. */
    private static void checkWorkers(BenchRequest request) {
        int workers = request.workers().count();
        if (workers == 1) {
            return;
        }
        int executors = executors(request.shape());
        if (workers > executors) {
            throw new UsageError(
                    "--workers",
                    workers,
                    "the topology has only " + executors + " executors of spouts and bolts; use at most as many "
                            + "workers");
        }
        request.sizes().forEach(size -> checkFits(request, size));
    }

    private static void checkFits(BenchRequest request, int size) {
        if (size > LARGEST_MESSAGE) {
            throw new UsageError(
                    "--messageSize", size, "with several workers a message has at most " + LARGEST_MESSAGE + " bytes");
        }
        Shape shape = request.shape();
        long spoutsPerWorker = 1 + (shape.spouts() - 1) / request.workers().count();
        long needed = size * spoutsPerWorker * (READY + request.maxSpoutPending());
        if (needed > bytes(request.heap()) / 2) {
            throw new UsageError(
                    "--messageSize",
                    size,
                    "a worker's messages would need " + (needed >> 20) + " MB, more than half of its heap of "
                            + request.heap() + ": use a larger --heap or a smaller --maxSpoutPending");
        }
    }

    private static long bytes(String heap) {
        long number = Long.parseLong(heap.substring(0, heap.length() - 1));
        return number << (heap.toLowerCase(Locale.ROOT).endsWith("g") ? 30 : 20);
    }

    private static int executors(Shape shape) {
        return BenchTopology.executors(BenchTopology.named(shape.topology()).build(shape, ""));
    }

    private static int atLeast(int least, String option, Integer value, int byDefault) {
        if (value == null) {
            return byDefault;
        }
        if (value < least) {
            throw new UsageError(option, value, "must be at least " + least);
        }
        return value;
    }

    /** Parses values: text that is JSON becomes a number, boolean, list, map or null; other text stays a string. */
    private static Map<String, Object> values(Map<String, String> texts) {
        Map<String, Object> values = new LinkedHashMap<>();
        texts.forEach((key, text) -> values.put(key, value(text)));
        return values;
    }

    private static Object value(String text) {
        try {
            return Json.readObject("{\"value\":" + text + "}").get("value");
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
