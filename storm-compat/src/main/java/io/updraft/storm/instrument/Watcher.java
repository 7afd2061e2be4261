package io.updraft.storm.instrument;

import java.util.List;
import org.apache.storm.tuple.Tuple;

/**
 * Sees what one instance of a component does. Called on the thread that runs the instance, but for emits and acks, which come
 * from whatever thread makes them. Streams of the system are not shown.
 */
interface Watcher {

    /** A latency that was not measured, as Storm tells it of bolts. */
    long NOT_SAMPLED = -1;

    /** Whether it wants latencies. */
    default boolean wantsTimes() {
        return false;
    }

    /**
     * The instance is about to emit.
     *
     * @param stream the stream
     * @param original what the component emits
     * @param values the same, or what a watcher before this one has put in its place
     * @return what to emit
     */
    default List<Object> emitting(String stream, List<Object> original, List<Object> values) {
        return values;
    }

    /** The instance has emitted; the id is null if the message has none, as from a bolt. */
    default void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {}

    /** A bolt is about to execute a tuple. */
    default void executing(Tuple input) {}

    /** A bolt has executed a tuple; the latency in milliseconds, or {@link #NOT_SAMPLED}. */
    default void executed(Tuple input, long latencyMs) {}

    /** A bolt is about to ack or fail a tuple; nobody else has heard of it yet. */
    default void settling(Tuple input) {}

    /** A bolt has acked a tuple; the time since it began to execute it in milliseconds, or {@link #NOT_SAMPLED}. */
    default void acked(Tuple input, long latencyMs) {}

    /** A bolt has failed a tuple; latency as with acks. */
    default void failed(Tuple input, long latencyMs) {}

    /** A spout has heard of an ack; the message's latency is null if it was not measured. */
    default void spoutAcked(SpoutMessage message) {}

    /** A spout has heard of a fail. */
    default void spoutFailed(SpoutMessage message) {}

    /** The instance is about to be closed. */
    default void closing() {}
}
