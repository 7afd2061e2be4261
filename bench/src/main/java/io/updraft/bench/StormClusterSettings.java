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

    /** Fewer than this keep no batch of 100 full on all of its ways: spout to bolt, bolt to acker, acker to spout. */
    private static final int MANY = 5000;

    /** Batches for which there must be messages under way. */
    private static final int ROOM = 3;

    /** Tuples handed on together, within a worker and to another one, and messages under way over all spouts. */
    private enum Load {
        SINGLY_FEW(1, 1, 1000),
        SENT_TOGETHER_FEW(1, 10, 1000),
        IN_BATCHES_FEW(100, 100, 1000),
        SINGLY(1, 1, 5000),
        IN_BATCHES(100, 100, 5000),
        IN_BATCHES_MANY(100, 100, 20_000),
        IN_LARGE_BATCHES(1000, 1000, 5000),
        IN_LARGE_BATCHES_MANY(1000, 1000, 20_000);

        private final int batch;
        private final int transferBatch;
        private final int pending;

        Load(int batch, int transferBatch, int pending) {
            this.batch = batch;
            this.transferBatch = transferBatch;
            this.pending = pending;
        }

        StormSettings of(Shape shape, int maxSpoutPending) {
            StormSettings settings = StormSettings.of(batch, StormSettings.pending(pending, shape, maxSpoutPending));
            return transferBatch == batch ? settings : settings.transferring(transferBatch);
        }

        /** Where a batch is as large as all that may be under way, Storm's workers were seen to stand still. */
        boolean fits(Shape shape, int maxSpoutPending) {
            return !shape.acked()
                    || ROOM * Math.max(batch, transferBatch) <= StormSettings.pending(pending, shape, maxSpoutPending);
        }
    }

    private StormClusterSettings() {}

    /** {@return what is tried without a search} */
    static StormSettings usual(Shape shape, int maxSpoutPending) {
        boolean few = shape.acked() && maxSpoutPending > 0 && maxSpoutPending * shape.spouts() < MANY;
        Load load = few ? Load.SENT_TOGETHER_FEW : Load.IN_BATCHES;
        return (load.fits(shape, maxSpoutPending) ? load : Load.SINGLY).of(shape, maxSpoutPending);
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
            if (load.fits(shape, maxSpoutPending)) {
                all.add(load.of(shape, maxSpoutPending));
            }
        }
        all.add(usual(shape, maxSpoutPending).parking(PARK_MICROS));
        return all.stream().distinct().toList();
    }
}
