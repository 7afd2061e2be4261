package io.updraft.engine.loop;

import io.updraft.engine.metrics.LatencySum;
import io.updraft.engine.metrics.OutputSnapshot;
import io.updraft.engine.plan.StreamPlan;
import java.util.List;
import org.apache.storm.utils.Utils;

/**
 * What one executor has done by output stream. No tuple is counted: when the executor begins to emit on another stream than
 * before, and when its turn ends, what the executor has counted meanwhile is that of the stream before.
 *
 * <p>A stream's number is its place in the plan. All but what is read by snapshots belongs to the thread that runs the executor.
 */
final class OutCounts {

    private static final int EMITTED = 0;
    private static final int TRANSFERRED = 1;
    private static final int ACKED = 2;
    private static final int FAILED = 3;
    private static final int COMPLETED = 4;

    /** Whether streams are counted apart: else all is that of the {@link #main} one. */
    final boolean several;

    /** Whether the trees of a spout are counted apart: else all of them began on the main stream. */
    final boolean severalRoots;

    /** The component's own first stream. */
    final int main;

    private final Executor executor;
    private final List<StreamPlan> streams;
    private final StreamCells cells;

    /** What threads of the user's have emitted; under the lock. Null if streams are not counted apart. */
    private final StreamCells outside;

    private int current;
    private long emittedBefore;
    private long sentBefore;

    OutCounts(Executor executor, int tasks) {
        this.executor = executor;
        this.streams = executor.component.outputs();
        int own = (int) streams.stream().filter(OutCounts::isOwn).count();
        int used = (int) streams.stream()
                .filter(stream -> isOwn(stream) || !stream.subscriptions().isEmpty())
                .count();
        // Of several tasks each would have to be asked at each emit: not for the sake of the system's streams.
        this.several = own > 1 || used > 1 && tasks == 1;
        this.severalRoots = own > 1;
        this.main = main(streams);
        this.current = main;
        this.cells = new StreamCells(Math.max(1, streams.size()));
        this.outside = several ? new StreamCells(streams.size()) : null;
    }

    private static boolean isOwn(StreamPlan stream) {
        return !Utils.isSystemId(stream.streamId());
    }

    private static int main(List<StreamPlan> streams) {
        for (int i = 0; i < streams.size(); i++) {
            if (isOwn(streams.get(i))) {
                return i;
            }
        }
        return 0;
    }

    /** Hears on which stream the executor emits from now on. In a turn; only if streams are counted apart. */
    void switchTo(int stream) {
        if (stream != current) {
            settle();
            current = stream;
        }
    }

    /** Counts what was emitted since the last time. In a turn; only if streams are counted apart. */
    void settle() {
        long emitted = executor.emitted;
        long sent = executor.sentSoFar();
        if (emitted > emittedBefore) {
            cells.addOpaque(current, EMITTED, emitted - emittedBefore);
            emittedBefore = emitted;
        }
        if (sent > sentBefore) {
            cells.addOpaque(current, TRANSFERRED, sent - sentBefore);
            sentBefore = sent;
        }
    }

    /** Counts what a thread of the user's has emitted. Under the lock. */
    void emittedOutside(int stream, int tasks) {
        if (several) {
            outside.addOpaque(stream, EMITTED, 1);
            outside.addOpaque(stream, TRANSFERRED, tasks);
        }
    }

    /** Counts a tree that is complete. Only if trees are counted apart. */
    void acked(int stream) {
        cells.addOpaque(stream, ACKED, 1);
    }

    /** Counts a tree that has failed. Only if trees are counted apart. */
    void failed(int stream) {
        cells.addOpaque(stream, FAILED, 1);
    }

    /** Records how long a tree took. */
    void completed(int stream, long nanos) {
        cells.addTimeOpaque(stream, COMPLETED, nanos);
    }

    /** What was done on a stream. From any thread. */
    OutputSnapshot snapshot(int stream) {
        boolean isMain = stream == main;
        Counters all = executor.counters;
        OutsideCounts others = executor.outsideCounts;
        boolean spout = executor.component.spout();
        LatencySum complete = cells.getTimeOpaque(stream, COMPLETED);
        return new OutputSnapshot(
                streams.get(stream).streamId(),
                several
                        ? cells.getOpaque(stream, EMITTED) + outside.getOpaque(stream, EMITTED)
                        : isMain ? all.getAcquire(Counter.EMITTED) + others.emitted.sum() : 0,
                several
                        ? cells.getOpaque(stream, TRANSFERRED) + outside.getOpaque(stream, TRANSFERRED)
                        : isMain ? all.getAcquire(Counter.TRANSFERRED) + others.transferred.sum() : 0,
                trees(stream, ACKED, spout && isMain ? all.getAcquire(Counter.ACKED) : 0),
                trees(stream, FAILED, spout && isMain ? all.getAcquire(Counter.FAILED) : 0),
                complete);
    }

    private long trees(int stream, int count, long ofAll) {
        return severalRoots ? cells.getOpaque(stream, count) : ofAll;
    }
}
