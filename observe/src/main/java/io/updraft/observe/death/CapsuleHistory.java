package io.updraft.observe.death;

import io.updraft.engine.api.ComponentCounts;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.api.ObservedEngine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The used heap and the counters of components in the last ten minutes. For one thread. */
final class CapsuleHistory {
    /** The time between two samples. */
    static final int SAMPLE_SECONDS = 5;

    private static final int KEPT = 10 * 60 / SAMPLE_SECONDS + 1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** One moment: the used heap with garbage, and the counters of each topology. */
    record Sample(long nanos, long heapUsed, Map<String, List<ComponentCounts>> topologies) {
        static Sample take() {
            Map<String, List<ComponentCounts>> topologies = new LinkedHashMap<>();
            for (ObservedEngine engine : MemoryWatch.engines()) {
                topologies.put(engine.topology(), engine.counts());
            }
            Runtime runtime = Runtime.getRuntime();
            return new Sample(System.nanoTime(), runtime.totalMemory() - runtime.freeMemory(), topologies);
        }

        /** {@return the counters of a component; zeros if it is not in this sample} */
        ComponentCounts of(String topology, String component) {
            return topologies.getOrDefault(topology, List.of()).stream()
                    .filter(counts -> counts.component().equals(component))
                    .findFirst()
                    .orElse(new ComponentCounts(component, 0, 0, 0, 0, 0));
        }

        double secondsSince(Sample earlier) {
            return (nanos - earlier.nanos) / NANOS_PER_SECOND;
        }
    }

    void add(Sample sample) {
        if (samples.size() == KEPT) {
            samples.removeFirst();
        }
        samples.addLast(sample);
    }

    /** {@return the newest sample that is at least this old at a time; the oldest one if none is; null if there is none} */
    Sample before(long nanos, int seconds) {
        Sample found = samples.peekFirst();
        for (Sample sample : samples) {
            if (nanos - sample.nanos() >= seconds * NANOS_PER_SECOND) {
                found = sample;
            }
        }
        return found;
    }
}
