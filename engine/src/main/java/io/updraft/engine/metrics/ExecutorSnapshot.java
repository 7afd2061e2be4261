package io.updraft.engine.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one executor has done since the start, its rebuilt instances and, between workers, the processes before the present one
 * included. An executor that has given its tasks to others stays, under its own first task.
 *
 * @param firstTask the first of its tasks, by which it is known
 * @param emitted calls of {@code emit} and {@code emitDirect}
 * @param transferred tuples sent to other tasks by those calls
 * @param executed tuples executed (bolts), ticks included
 * @param acked tuples acked (bolts), tuple trees completed (spouts)
 * @param failed tuples failed (bolts), tuple trees failed or timed out (spouts)
 * @param busyNanos time spent in user code, nanoseconds
 * @param streams what of this was done on which stream
 */
public record ExecutorSnapshot(
        int firstTask,
        long emitted,
        long transferred,
        long executed,
        long acked,
        long failed,
        long busyNanos,
        StreamsSnapshot streams) {

    /**
     * Adds what was done under the same first task: that of an executor that has given its tasks away may be that of another by
     * now, and each process has its part.
     *
     * @param all of one component, in any order
     * @return one for each first task, ordered by that
     */
    public static List<ExecutorSnapshot> byFirstTask(Stream<ExecutorSnapshot> all) {
        Map<Integer, ExecutorSnapshot> executors = new TreeMap<>();
        all.forEach(each -> executors.merge(each.firstTask, each, ExecutorSnapshot::plus));
        return List.copyOf(executors.values());
    }

    /**
     * Adds.
     *
     * @param other what another executor of the component has done, or this one in another process
     * @return both, under the first task of this one
     */
    public ExecutorSnapshot plus(ExecutorSnapshot other) {
        return new ExecutorSnapshot(
                firstTask,
                emitted + other.emitted,
                transferred + other.transferred,
                executed + other.executed,
                acked + other.acked,
                failed + other.failed,
                busyNanos + other.busyNanos,
                streams.plus(other.streams));
    }
}
