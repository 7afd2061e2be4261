package io.updraft.engine.metrics;

import java.util.List;

/**
 * What one component has done since the start. Counts are exact but read without stopping the engine, so that two counts
 * of one snapshot may be a batch apart.
 *
 * @param id the component
 * @param spout whether it is a spout
 * @param tasks number of its tasks
 * @param executors number of its executors
 * @param emitted calls of {@code emit} and {@code emitDirect}
 * @param transferred tuples sent to other tasks by those calls
 * @param executed tuples executed (bolts), ticks included
 * @param acked tuples acked (bolts), tuple trees completed (spouts)
 * @param failed tuples failed (bolts), tuple trees failed or timed out (spouts)
 * @param timedOut tuple trees failed because they timed out (spouts)
 * @param busyNanos time spent in user code, nanoseconds, summed over executors
 * @param queued tuples waiting for it now
 * @param inFlight its tuple trees in flight now (spouts)
 * @param errors exceptions thrown by its code, and tuples of its that could not be sent to another worker, or not be read there
 * @param restarts times one of its instances was rebuilt
 * @param deadLettered messages given up after {@code updraft.max.replays} (spouts)
 * @param ownThreads executors that run on a thread of their own now because their code blocks
 * @param backPressured whether it holds back what is upstream of it now
 * @param throttled whether it is held back now by something downstream
 * @param executeLatency time in {@code execute} or {@code nextTuple}, sampled
 * @param completeLatency time from a spout's emit to the completion of its tuple tree (spouts)
 * @param byExecutor what of this was done by which executor, one entry for each first task
 */
public record ComponentSnapshot(
        String id,
        boolean spout,
        int tasks,
        int executors,
        long emitted,
        long transferred,
        long executed,
        long acked,
        long failed,
        long timedOut,
        long busyNanos,
        long queued,
        long inFlight,
        long errors,
        long restarts,
        long deadLettered,
        int ownThreads,
        boolean backPressured,
        boolean throttled,
        LatencySummary executeLatency,
        LatencySummary completeLatency,
        List<ExecutorSnapshot> byExecutor) {

    /**
     * Counts errors that the engine does not know of.
     *
     * @param more how many
     * @return the same with these errors
     */
    public ComponentSnapshot plusErrors(long more) {
        return new ComponentSnapshot(
                id,
                spout,
                tasks,
                executors,
                emitted,
                transferred,
                executed,
                acked,
                failed,
                timedOut,
                busyNanos,
                queued,
                inFlight,
                errors + more,
                restarts,
                deadLettered,
                ownThreads,
                backPressured,
                throttled,
                executeLatency,
                completeLatency,
                byExecutor);
    }

    /** {@return what of this was done on which stream} */
    public StreamsSnapshot streams() {
        return byExecutor.stream().map(ExecutorSnapshot::streams).reduce(StreamsSnapshot.NONE, StreamsSnapshot::plus);
    }
}
