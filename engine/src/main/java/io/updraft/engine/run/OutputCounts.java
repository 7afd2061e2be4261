package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.snapshot.OutputSnapshot;
import java.util.List;

/**
 * The counters of one executor by output stream. Single tuples are not counted by stream. When the executor begins to emit on
 * another stream, and when its turn ends, the tuples that it has counted since are added to the previous stream.
 *
 * <p>The number of a stream is its position among the outputs of the component. All state belongs to the thread that runs the
 * executor, except the cells that snapshots read.
 */
final class OutputCounts {

    private static final int EMITTED = 0;
    private static final int TRANSFERRED = 1;
    private static final int ACKED = 2;
    private static final int FAILED = 3;
    private static final int COMPLETED = 4;

    /** Whether streams are counted separately; otherwise everything counts for the {@link #main} stream. */
    private final boolean several;

    /** Whether the trees of a spout are counted by stream; otherwise all trees began on the main stream. */
    private final boolean severalRoots;

    /** The first stream of the component that is not a system stream. */
    private final int main;

    private final boolean spout;
    private final Outbox outbox;
    private final ExecutorCounters counters;
    private final List<StreamPlan> streams;
    private final StreamCounters cells;

    /** Emits of user threads. Guarded by the lock. Null if streams are not counted separately. */
    private final StreamCounters outside;

    private int current;
    private long emittedBefore;
    private long sentBefore;

    /**
     * Creates the counters of one executor.
     *
     * @param tasks number of tasks of the executor
     * @param outbox counts what the executor has emitted, for the thread in its turn
     * @param counters what the executor has published
     */
    OutputCounts(ComponentPlan component, int tasks, Outbox outbox, ExecutorCounters counters) {
        this.spout = component.spout();
        this.outbox = outbox;
        this.counters = counters;
        this.streams = component.outputs();
        int own = (int) streams.stream().filter(OutputCounts::isOwn).count();
        int used = (int) streams.stream()
                .filter(stream -> isOwn(stream) || !stream.subscriptions().isEmpty())
                .count();
        // With several tasks, each emit would have to be checked. The system's streams alone do not justify that.
        this.several = own > 1 || used > 1 && tasks == 1;
        this.severalRoots = own > 1;
        this.main = main(streams);
        this.current = main;
        this.cells = new StreamCounters(Math.max(1, streams.size()));
        this.outside = several ? new StreamCounters(streams.size()) : null;
    }

    private static boolean isOwn(StreamPlan stream) {
        return !stream.isSystem();
    }

    private static int main(List<StreamPlan> streams) {
        for (int i = 0; i < streams.size(); i++) {
            if (isOwn(streams.get(i))) {
                return i;
            }
        }
        return 0;
    }

    public boolean isByStream() {
        return several;
    }

    public boolean areTreesByStream() {
        return severalRoots;
    }

    /** Returns the number of the stream for which everything counts if streams are not counted separately. */
    public int mainStream() {
        return main;
    }

    /**
     * Sets the stream on which the executor emits from now on. Call this only in a turn, and only if streams are counted
     * separately.
     */
    public void switchTo(int stream) {
        if (stream != current) {
            addToStream();
            current = stream;
        }
    }

    /** Counts the tuples emitted since the last call. Call this only in a turn, and only if streams are counted separately. */
    public void addToStream() {
        long emitted = outbox.emitted();
        long sent = outbox.sentSoFar();
        if (emitted > emittedBefore) {
            cells.addOpaque(current, EMITTED, emitted - emittedBefore);
            emittedBefore = emitted;
        }
        if (sent > sentBefore) {
            cells.addOpaque(current, TRANSFERRED, sent - sentBefore);
            sentBefore = sent;
        }
    }

    /** Counts an emit of a user thread. Call this only under the lock. */
    public void emittedOutside(int stream, int tasks) {
        if (several) {
            outside.addOpaque(stream, EMITTED, 1);
            outside.addOpaque(stream, TRANSFERRED, tasks);
        }
    }

    /** Counts a completed tree. Call this only if trees are counted by stream. */
    public void acked(int stream) {
        cells.addOpaque(stream, ACKED, 1);
    }

    /** Counts a failed tree. Call this only if trees are counted by stream. */
    public void failed(int stream) {
        cells.addOpaque(stream, FAILED, 1);
    }

    public void completed(int stream, long nanos) {
        cells.addTimeOpaque(stream, COMPLETED, nanos);
    }

    /** Returns the counters of a stream. May be called from any thread. */
    public OutputSnapshot snapshot(int stream) {
        boolean isMain = stream == main;
        return new OutputSnapshot(
                streams.get(stream).streamId(),
                several
                        ? cells.getOpaque(stream, EMITTED) + outside.getOpaque(stream, EMITTED)
                        : isMain ? counters.total(ExecutorCounter.EMITTED) : 0,
                several
                        ? cells.getOpaque(stream, TRANSFERRED) + outside.getOpaque(stream, TRANSFERRED)
                        : isMain ? counters.total(ExecutorCounter.TRANSFERRED) : 0,
                trees(stream, ACKED, spout && isMain ? counters.getAcquire(ExecutorCounter.ACKED) : 0),
                trees(stream, FAILED, spout && isMain ? counters.getAcquire(ExecutorCounter.FAILED) : 0),
                cells.getTimeOpaque(stream, COMPLETED));
    }

    private long trees(int stream, int count, long ofAll) {
        return severalRoots ? cells.getOpaque(stream, count) : ofAll;
    }
}
