package io.updraft.bench;

import io.updraft.base.json.Json;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the options and creates a {@link BenchRequest}. Throws {@link UsageError} for the first wrong option. */
final class RequestReader {

    private static final int WORD_COUNTERS = 4;

    /** With a larger exponent practically all words are the same. */
    private static final int LARGEST_ZIPF = 10;

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
        WorkersReader workersReader = new WorkersReader(options);
        WorkersPlan workers = workersReader.read(conf);
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
        workersReader.check(request);
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
