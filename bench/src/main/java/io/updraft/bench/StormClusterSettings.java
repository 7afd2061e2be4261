package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings that someone who tunes Storm would try where tuples cross between workers. How they were chosen, and what made no
 * difference, is told in docs/storm.md.
 */
final class StormClusterSettings {

    private static final int PARK_MICROS = 100;

    /** Tuples that go on together, and messages under way over all spouts: each batch with what keeps it full. */
    private enum Load {
        SINGLY_FEW(1, 1000),
        SINGLY(1, 5000),
        IN_SMALL_BATCHES(10, 5000),
        IN_BATCHES_FEW(100, 1000),
        IN_BATCHES(100, 5000),
        IN_BATCHES_MANY(100, 20_000),
        IN_LARGE_BATCHES(1000, 5000),
        IN_LARGE_BATCHES_MANY(1000, 20_000);

        private final int batch;
        private final int pending;

        Load(int batch, int pending) {
            this.batch = batch;
            this.pending = pending;
        }

        StormSettings of(Shape shape, int maxSpoutPending) {
            return StormSettings.of(batch, StormSettings.pending(pending, shape, maxSpoutPending));
        }
    }

    private StormClusterSettings() {}

    /** {@return what is tried without a search} */
    static StormSettings usual(Shape shape, int maxSpoutPending) {
        return Load.IN_BATCHES.of(shape, maxSpoutPending);
    }

    /**
     * What a search tries: batches with numbers of pending messages (the user's number when given), with Storm's own way of
     * waiting; for the usual ones also with threads that wait shorter and take less of the cores meanwhile.
     */
    static List<StormSettings> candidates(Shape shape, int maxSpoutPending) {
        if (shape.openLoop()) {
            return StormSettings.candidates(shape, maxSpoutPending);
        }
        List<StormSettings> all = new ArrayList<>();
        for (Load load : Load.values()) {
            all.add(load.of(shape, maxSpoutPending));
        }
        all.add(usual(shape, maxSpoutPending).parking(PARK_MICROS));
        return all.stream().distinct().toList();
    }
}
