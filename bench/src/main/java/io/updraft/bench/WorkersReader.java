package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.cluster.coordinator.WorkerConf;
import io.updraft.transport.TransportNames;
import io.updraft.transport.Transports;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks the options for runs with several workers. Throws {@link UsageError} for the first wrong option. */
final class WorkersReader {

    private static final int MOST_WORKERS = WorkerConf.MAX_WORKERS;
    private static final String ALL = "all";
    private static final String STORM_CLUSTER = "storm-cluster";

    /** The order of transports in tables and figures; transports not listed follow. */
    private static final List<String> ORDER = List.of("netty", "zeromq", "aeron", "ucx");

    /** A frame between workers has at most 64 MiB; 64 KiB are left for the rest of the frame. */
    private static final int LARGEST_MESSAGE = (64 << 20) - (64 << 10);

    /** Number of messages that a spout prepares. */
    private static final long READY = 128;

    private final BenchCommand options;

    WorkersReader(BenchCommand options) {
        this.options = options;
    }

    WorkersPlan read(Map<String, Object> conf) {
        int count = Objects.requireNonNullElse(options.workers, 1);
        if (count < 1 || count > MOST_WORKERS) {
            throw new UsageError("--workers", count, "must be from 1 to " + MOST_WORKERS);
        }
        if (count == 1) {
            complainOf("--transport", options.transport);
            complainOf("--on", options.on);
            return WorkersPlan.NONE;
        }
        return new WorkersPlan(count, transports(conf), ALL.equals(options.transport), onStormCluster());
    }

    private boolean onStormCluster() {
        if (options.on != null && !options.on.equals(STORM_CLUSTER)) {
            throw new UsageError("--on", options.on, "must be '" + STORM_CLUSTER + "'");
        }
        return options.on != null;
    }

    private static void complainOf(String option, String value) {
        if (value != null) {
            throw new UsageError(option, value, "applies only between workers: add --workers 2 or more");
        }
    }

    private List<String> transports(Map<String, Object> conf) {
        if (options.transport == null) {
            return List.of(TransportNames.of(conf).local());
        }
        List<String> known = known();
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : options.transport.split(",", -1)) {
            if (name.equals(ALL)) {
                chosen.addAll(known);
            } else if (known.contains(name)) {
                chosen.add(name);
            } else {
                throw new UsageError(
                        "--transport",
                        options.transport,
                        "'" + name + "' is not a transport; use " + String.join(", ", known) + " or all");
            }
        }
        return List.copyOf(chosen);
    }

    /** {@return the names of the transports on the class path} */
    private static List<String> known() {
        return Transports.names().stream()
                .sorted(Comparator.comparingInt(name -> ORDER.contains(name) ? ORDER.indexOf(name) : ORDER.size()))
                .toList();
    }

    /** Throws {@link UsageError} when a worker would have no executor, or when messages are too large. */
    void check(BenchRequest request) {
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
}
