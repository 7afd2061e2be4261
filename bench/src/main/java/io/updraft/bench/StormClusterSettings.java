package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Storm settings that an experienced user would try for several workers. docs/storm.md explains how they were chosen and which
 * settings made no difference.
 */
final class StormClusterSettings {

    private static final int PARK_MICROS = 100;

    /**
     * Fewer pending messages than this cannot fill batches of 100 on all paths: spout to bolt, bolt to acker, acker to spout.
     */
    private static final int MANY = 5000;

    /** The pending limit must allow at least this many full batches. */
    private static final int ROOM = 3;

    /** Batch size within a worker, batch size between workers, and pending messages over all spouts. */
    private record Load(int batch, int transferBatch, int pending) {

        private static final Load SENT_TOGETHER_FEW = new Load(1, 10, 1000);
        private static final Load SINGLY = new Load(1, 1, 5000);
        private static final Load IN_BATCHES = new Load(100, 100, 5000);
        private static final List<Load> ALL = List.of(
                new Load(1, 1, 1000),
                SENT_TOGETHER_FEW,
                new Load(100, 100, 1000),
                SINGLY,
                IN_BATCHES,
                new Load(100, 100, 20_000),
                new Load(1000, 1000, 5000),
                new Load(1000, 1000, 20_000));

        PeerSettings of(Shape shape, int maxSpoutPending) {
            PeerSettings settings = StormSettings.of(batch, StormSettings.pending(pending, shape, maxSpoutPending));
            return transferBatch == batch ? settings : StormSettings.transferring(settings, transferBatch);
        }

        /**
         * Returns whether the pending limit is large enough for the batch size. When one batch can hold all pending messages,
         * Storm's workers may stall.
         */
        boolean fits(Shape shape, int maxSpoutPending) {
            return !shape.acked()
                    || ROOM * Math.max(batch, transferBatch) <= StormSettings.pending(pending, shape, maxSpoutPending);
        }
    }

    private StormClusterSettings() {}

    /** {@return the settings used without tuning} */
    static PeerSettings usual(Shape shape, int maxSpoutPending) {
        boolean few = shape.acked() && maxSpoutPending > 0 && maxSpoutPending * shape.spouts() < MANY;
        Load load = few ? Load.SENT_TOGETHER_FEW : Load.IN_BATCHES;
        return (load.fits(shape, maxSpoutPending) ? load : Load.SINGLY).of(shape, maxSpoutPending);
    }

    /**
     * Returns the settings that tuning tries: batch sizes with numbers of pending messages, or with the user's number, all with
     * Storm's default wait strategy. The usual settings are also tried with parking, which waits shorter and uses less CPU
     * time.
     */
    static List<PeerSettings> candidates(Shape shape, int maxSpoutPending) {
        if (shape.openLoop()) {
            return StormSettings.candidates(shape, maxSpoutPending);
        }
        List<PeerSettings> all = new ArrayList<>();
        for (Load load : Load.ALL) {
            if (load.fits(shape, maxSpoutPending)) {
                all.add(load.of(shape, maxSpoutPending));
            }
        }
        all.add(StormSettings.parking(usual(shape, maxSpoutPending), PARK_MICROS));
        return all.stream().distinct().toList();
    }
}
