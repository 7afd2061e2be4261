package io.updraft.kafka.spout;

import io.updraft.base.thread.DaemonThreads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;

/**
 * The engine's view of the tuples that the spout has emitted. Reads the context's resources {@code updraft.traces},
 * {@code updraft.holdups} and {@code updraft.turns}, and {@code updraft.letters} for dead letters. They are absent on stock
 * Storm, and the first three where tuples go to other processes; every query then returns nothing. Used on the spout's thread.
 */
final class EngineTraces {

    private final String spout;
    private final String task;
    private final BiFunction<List<Object>, Consumer<String>, AutoCloseable> traces;
    private final Function<String, List<String>> holdups;
    private final BiConsumer<Integer, Runnable> turns;
    private final BiConsumer<Integer, Map<String, Object>> letters;
    private final int taskId;

    @SuppressWarnings("unchecked") // the engine registers these types under these names
    EngineTraces(TopologyContext context) {
        spout = context.getThisComponentId();
        taskId = context.getThisTaskId();
        task = spout + " (task " + taskId + ")";
        traces = (BiFunction<List<Object>, Consumer<String>, AutoCloseable>) context.getResource("updraft.traces");
        holdups = (Function<String, List<String>>) context.getResource("updraft.holdups");
        turns = (BiConsumer<Integer, Runnable>) context.getResource("updraft.turns");
        letters = (BiConsumer<Integer, Map<String, Object>>) context.getResource("updraft.letters");
    }

    /** Returns the name of the spout's task, as a place in an alarm. */
    String spout() {
        return task;
    }

    boolean canRun() {
        return turns != null;
    }

    /** Runs an action on the spout's thread, even while {@code nextTuple} is not called. May be called on any thread. */
    void run(Runnable action) {
        turns.accept(taskId, action);
    }

    /** Has the engine keep a message that the spout gives up, so that an operator sees it and can replay it. */
    void addDeadLetter(String messageId, List<Object> values, int failures) {
        if (letters != null && values != null) {
            letters.accept(
                    taskId,
                    Map.of(
                            "stream",
                            Utils.DEFAULT_STREAM_ID,
                            "messageId",
                            messageId,
                            "values",
                            values,
                            "failures",
                            failures));
        }
    }

    boolean canTrace() {
        return traces != null;
    }

    /** Traces the tuples of a message that is about to be emitted with these values. Calls {@code seen} with each place. */
    AutoCloseable trace(List<Object> values, Consumer<String> seen) {
        return traces.apply(values, seen);
    }

    /** Returns what holds up tuples now. The age of a call is measured from the first query that sees it. */
    List<String> holdups() {
        return holdups == null ? List.of() : holdups.apply(spout);
    }

    /**
     * Triggers the spout's check for overdue records while the engine does not call {@code nextTuple}: too many tuples are pending,
     * or back-pressure holds the spout. Alarms matter most then. Runs a thread of its own. Works only on the embedded engine, not
     * on stock Storm.
     */
    static final class AlarmTimer implements AutoCloseable {

        private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final EngineTraces engine;
        private final Runnable look;
        private final Thread thread;
        private volatile boolean closed;

        /** Whether a turn on the spout's thread was requested and has not run yet. */
        private volatile boolean asked;

        AlarmTimer(EngineTraces engine, Runnable look) {
            this.engine = engine;
            this.look = look;
            this.thread = DaemonThreads.create("kafka-alarm-" + engine.spout(), this::remind);
            thread.start();
        }

        private void remind() {
            while (!closed) {
                LockSupport.parkNanos(EVERY_NANOS);
                if (!closed && !asked) {
                    asked = true;
                    engine.run(this::turn);
                }
            }
        }

        private void turn() {
            asked = false;
            if (!closed) {
                look.run();
            }
        }

        /** Stops the thread. Called on the spout's thread; no check runs after it returns. */
        @Override
        public void close() {
            closed = true;
            LockSupport.unpark(thread);
        }
    }
}
