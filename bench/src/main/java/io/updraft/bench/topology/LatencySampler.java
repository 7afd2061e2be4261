package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures the complete latency of every 1024th message. The other 1023 messages cost only a mask and a branch. Used by one
 * task, on its thread.
 */
final class LatencySampler {

    private static final long MASK = 1023;

    private final BenchTaskCounters probe;
    private final Map<Long, Long> emittedAt = new HashMap<>();

    LatencySampler(BenchTaskCounters probe) {
        this.probe = probe;
    }

    void emitting(long sequence) {
        if ((sequence & MASK) == 0) {
            emittedAt.put(sequence, System.nanoTime());
        }
    }

    void completed(long sequence) {
        if ((sequence & MASK) == 0) {
            Long from = emittedAt.remove(sequence);
            if (from != null) {
                probe.recordLatency(from);
            }
        }
    }
}
