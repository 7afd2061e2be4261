package io.updraft.engine.snapshot;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The counters of one executor since the start, over restarts of its instances and, with several workers, over all processes
 * that have run the executor. An executor that has handed its tasks to others keeps its entry, under its own first task.
 *
 * @param firstTask the first of its tasks, which identifies the executor
 * @param emitted calls of {@code emit} and {@code emitDirect}
 * @param transferred tuples sent to other tasks by those calls
 * @param executed tuples executed (bolts), ticks included
 * @param acked tuples acked (bolts), tuple trees completed (spouts)
 * @param failed tuples failed (bolts), tuple trees failed or timed out (spouts)
 * @param busyNanos time spent in user code, nanoseconds
 * @param waitNanos the part of it in which calls waited, for example for I/O, a lock or a timer, and used no core; estimated
 *     from samples
 * @param streams the counters by stream
 */
public record ExecutorSnapshot(
        int firstTask,
        long emitted,
        long transferred,
        long executed,
        long acked,
        long failed,
        long busyNanos,
        long waitNanos,
        StreamsSnapshot streams) {

    /**
     * Adds up snapshots with the same first task. Several snapshots may have the same one: a former executor may share its
     * first task with a current executor, and each process has a snapshot of its own.
     *
     * @param all snapshots of one component, in any order
     * @return one snapshot for each first task, ordered by first task
     */
    public static List<ExecutorSnapshot> byFirstTask(Stream<ExecutorSnapshot> all) {
        Map<Integer, ExecutorSnapshot> executors = new TreeMap<>();
        all.forEach(each -> executors.merge(each.firstTask, each, ExecutorSnapshot::plus));
        return List.copyOf(executors.values());
    }

    /**
     * {@return the sum, under the first task of this snapshot}
     *
     * @param other another executor of the component, or this executor in another process
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
                waitNanos + other.waitNanos,
                streams.plus(other.streams));
    }
}
