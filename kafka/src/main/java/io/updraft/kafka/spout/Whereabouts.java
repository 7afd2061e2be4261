package io.updraft.kafka.spout;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.task.TopologyContext;

/**
 * What the engine knows of tuples that the spout has emitted, as resources of the context by the names {@code updraft.traces},
 * {@code updraft.holdups} and {@code updraft.turns}. On stock Storm, and where tuples go to other processes, there are none, and it
 * knows nothing. The spout's thread.
 */
final class Whereabouts {

    private final String spout;
    private final String task;
    private final BiFunction<List<Object>, Consumer<String>, AutoCloseable> traces;
    private final Function<String, List<String>> holdups;
    private final BiConsumer<Integer, Runnable> turns;
    private final int taskId;

    @SuppressWarnings("unchecked") // the types are those that the engine says under these names
    Whereabouts(TopologyContext context) {
        spout = context.getThisComponentId();
        taskId = context.getThisTaskId();
        task = spout + " (task " + taskId + ")";
        traces = (BiFunction<List<Object>, Consumer<String>, AutoCloseable>) context.getResource("updraft.traces");
        holdups = (Function<String, List<String>>) context.getResource("updraft.holdups");
        turns = (BiConsumer<Integer, Runnable>) context.getResource("updraft.turns");
    }

    /** The spout itself, as a place. */
    String spout() {
        return task;
    }

    /** Whether {@link #run} does anything. */
    boolean canRun() {
        return turns != null;
    }

    /** Does something on the spout's thread, even while the spout is not asked for tuples. From any thread. */
    void run(Runnable action) {
        turns.accept(taskId, action);
    }

    boolean canTrace() {
        return traces != null;
    }

    /** Tells where the tuples of a message are that is about to be emitted with these values. */
    AutoCloseable trace(List<Object> values, Consumer<String> seen) {
        return traces.apply(values, seen);
    }

    /** What holds up tuples now. It knows the age of a call only from the first time that it is asked. */
    List<String> holdups() {
        return holdups == null ? List.of() : holdups.apply(spout);
    }
}
