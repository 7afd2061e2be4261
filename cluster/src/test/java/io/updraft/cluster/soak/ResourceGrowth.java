package io.updraft.cluster.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Checks that memory use is flat. For the coordinator, which runs throughout, it compares the medians of the first and the last
 * third of the run. A worker's process is new after each kill. Therefore workers are compared at the same age: those started in
 * the first half of the run with those started in the second half. A worker that has run for long is also compared with itself.
 */
final class ResourceGrowth {
    private static final double MIB = 1024 * 1024;
    private static final int LEAST_SAMPLES = 3;
    /** Seconds: until then a JVM loads and compiles. */
    private static final double GROWN_UP = 10;

    private static final double LONG_LIFE = 90;

    /** What must not grow by more than so much. A leak of 1 MiB with each kill is 20 MiB in ten minutes. */
    private record Quantity(String name, ToDoubleFunction<WorkerSample> of, double most) {}

    private static final List<Quantity> QUANTITIES = List.of(
            new Quantity("own memory, MiB", sample -> sample.own() / MIB, 48),
            // Aeron's logs are touched one after the other, until all of a channel's are.
            new Quantity("shared memory, MiB", sample -> sample.shared() / MIB, 64),
            new Quantity("heap after GC, MiB", sample -> sample.heap() / MIB, 8),
            new Quantity("direct buffers, MiB", sample -> sample.direct() / MIB, 16),
            new Quantity("files", WorkerSample::files, 10),
            new Quantity("threads", WorkerSample::threads, 10));

    /** Two groups of samples that should be alike. */
    private record Pair(String what, List<WorkerSample> early, List<WorkerSample> late) {

        boolean isEnough() {
            return early.size() >= LEAST_SAMPLES && late.size() >= LEAST_SAMPLES;
        }
    }

    private final List<String> lines = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private ResourceGrowth() {}

    static ResourceGrowth of(List<WorkerSample> samples) {
        ResourceGrowth growth = new ResourceGrowth();
        List<Pair> pairs = new ArrayList<>();
        pairs.add(coordinator(samples));
        pairs.addAll(workersOfOneAge(samples));
        pairs.addAll(longLives(samples));
        pairs.stream().filter(Pair::isEnough).forEach(growth::compare);
        return growth;
    }

    /** {@return what was compared with what, and how they differ} */
    List<String> lines() {
        return lines;
    }

    /** {@return what has grown} */
    List<String> failures() {
        return failures;
    }

    private void compare(Pair pair) {
        for (Quantity quantity : QUANTITIES) {
            double early = median(pair.early(), quantity);
            double late = median(pair.late(), quantity);
            String line = String.format(
                    Locale.ROOT,
                    "%-45s %-20s %8.1f -> %8.1f  (%+.1f, at most +%.0f; %d and %d samples)",
                    pair.what(),
                    quantity.name(),
                    early,
                    late,
                    late - early,
                    quantity.most(),
                    pair.early().size(),
                    pair.late().size());
            lines.add(line);
            if (late - early > quantity.most()) {
                failures.add(line);
            }
        }
    }

    private static Pair coordinator(List<WorkerSample> samples) {
        List<WorkerSample> own = samples.stream()
                .filter(sample -> sample.worker() == WorkerSample.COORDINATOR && sample.age() >= GROWN_UP)
                .toList();
        return thirds("coordinator, first and last third", own);
    }

    private static List<Pair> workersOfOneAge(List<WorkerSample> samples) {
        double half = samples.stream().mapToDouble(WorkerSample::seconds).max().orElse(0) / 2;
        List<Pair> pairs = new ArrayList<>();
        for (double from = GROWN_UP; from < 2 * half; from *= 2) {
            double age = from;
            List<WorkerSample> peers = samples.stream()
                    .filter(sample -> sample.worker() != WorkerSample.COORDINATOR)
                    .filter(sample -> sample.age() >= age && sample.age() < 2 * age)
                    .toList();
            pairs.add(new Pair(
                    String.format(Locale.ROOT, "workers %.0f to %.0f s old, started early and late", age, 2 * age),
                    peers.stream().filter(sample -> started(sample) < half).toList(),
                    peers.stream().filter(sample -> started(sample) >= half).toList()));
        }
        return pairs;
    }

    private static double started(WorkerSample sample) {
        return sample.seconds() - sample.age();
    }

    private static List<Pair> longLives(List<WorkerSample> samples) {
        return samples.stream()
                .filter(sample -> sample.worker() != WorkerSample.COORDINATOR && sample.age() >= GROWN_UP)
                .collect(Collectors.groupingBy(WorkerSample::who))
                .values()
                .stream()
                .filter(life -> life.get(life.size() - 1).age() >= LONG_LIFE)
                .map(life -> thirds(life.get(0).who() + " process, thirds of its life", life))
                .toList();
    }

    private static Pair thirds(String what, List<WorkerSample> life) {
        int third = life.size() / 3;
        return new Pair(what, life.subList(0, third), life.subList(life.size() - third, life.size()));
    }

    private static double median(List<WorkerSample> samples, Quantity quantity) {
        double[] sorted = samples.stream().mapToDouble(quantity.of()).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
