package io.updraft.kafka.spout;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.task.TopologyContext;

/**
 * What the engine knows of tuples that the spout has emitted, as resources of the context by the names {@code updraft.traces} and
 * {@code updraft.holdups}. On stock Storm, and where tuples go to other processes, there are none, and it knows nothing. The
 * spout's thread.
 */
final class Whereabouts {

    private final String spout;
    private final String task;
    private final BiFunction<List<Object>, Consumer<String>, AutoCloseable> traces;
    private final Function<String, List<String>> holdups;

    @SuppressWarnings("unchecked") // the types are those that the engine says under these names
    Whereabouts(TopologyContext context) {
        spout = context.getThisComponentId();
        task = spout + " (task " + context.getThisTaskId() + ")";
        traces = (BiFunction<List<Object>, Consumer<String>, AutoCloseable>) context.getResource("updraft.traces");
        holdups = (Function<String, List<String>>) context.getResource("updraft.holdups");
    }

    /** The spout itself, as a place. */
    String spout() {
        return task;
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
