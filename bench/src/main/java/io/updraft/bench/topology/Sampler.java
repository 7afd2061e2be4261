package io.updraft.bench.topology;

import java.util.HashMap;
import java.util.Map;

/**
 * Measures the complete latency of every 1024th message, so that measuring costs the other 1023 a mask and a branch.
 * One task's; on its thread.
 */
final class Sampler {

    private static final long MASK = 1023;

    private final Probe probe;
    private final Map<Long, Long> emittedAt = new HashMap<>();

    Sampler(Probe probe) {
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
