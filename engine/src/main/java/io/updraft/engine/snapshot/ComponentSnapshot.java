package io.updraft.engine.snapshot;

import java.util.List;

/**
 * The counters of one component since the start. Counts are exact, but read without stopping the engine, so two counts of one
 * snapshot may differ by a batch.
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
 * @param queued tuples queued for the component now
 * @param inFlight tuple trees of the component in flight now (spouts)
 * @param errors exceptions thrown by the component's code, plus its tuples that could not be sent to another worker or could
 *     not be read there
 * @param restarts number of restarts of instances
 * @param deadLettered messages dead-lettered after {@code updraft.max.replays} failures (spouts)
 * @param ownThreads executors that run on their own thread now because their code blocks
 * @param backPressured whether the component exerts back-pressure now
 * @param throttled whether the component is held back now by back-pressure from downstream
 * @param executeLatency time in {@code execute} or {@code nextTuple}, sampled
 * @param completeLatency time from a spout's emit to the completion of its tuple tree (spouts)
 * @param byExecutor the counters by executor, one entry for each first task
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
     * Adds errors that the engine did not count itself.
     *
     * @param more the number of errors
     * @return a copy with these errors added
     */
    public ComponentSnapshot plusErrors(long more) {
        return copy(errors + more, executeLatency, completeLatency);
    }

    /**
     * Replaces the latencies.
     *
     * @param execute the new {@link #executeLatency}
     * @param complete the new {@link #completeLatency}
     * @return a copy with these latencies
     */
    public ComponentSnapshot withLatencies(LatencySummary execute, LatencySummary complete) {
        return copy(errors, execute, complete);
    }

    /** {@return a copy with latencies since the start only: nothing was recorded since the last snapshot} */
    public ComponentSnapshot withoutIntervalLatencies() {
        return withLatencies(executeLatency.withoutInterval(), completeLatency.withoutInterval());
    }

    private ComponentSnapshot copy(long newErrors, LatencySummary execute, LatencySummary complete) {
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
                newErrors,
                restarts,
                deadLettered,
                ownThreads,
                backPressured,
                throttled,
                execute,
                complete,
                byExecutor);
    }

    /** {@return the part of {@link #busyNanos} in which calls waited and used no core, summed over executors} */
    public long waitNanos() {
        return byExecutor.stream().mapToLong(ExecutorSnapshot::waitNanos).sum();
    }

    /** {@return the counters of the component by stream} */
    public StreamsSnapshot streams() {
        return byExecutor.stream().map(ExecutorSnapshot::streams).reduce(StreamsSnapshot.NONE, StreamsSnapshot::plus);
    }
}
