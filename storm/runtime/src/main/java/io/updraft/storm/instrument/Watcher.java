package io.updraft.storm.instrument;

import java.util.List;
import org.apache.storm.tuple.Tuple;

/**
 * Observes one instance of a component. The methods are called on the thread that runs the instance, except for emits and acks,
 * which come from the calling thread. System streams are not observed.
 */
interface Watcher {

    /** The latency of a bolt's tuple that was not measured; Storm's value. */
    long NOT_SAMPLED = -1;

    default boolean wantsTimes() {
        return false;
    }

    /**
     * The instance is about to emit the list that this returns; {@code values} is the original, or what an earlier watcher has
     * returned.
     */
    default List<Object> emitting(String stream, List<Object> original, List<Object> values) {
        return values;
    }

    /** The instance has emitted; the id is null if the message has none, as for emits of bolts. */
    default void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {}

    default void executing(Tuple input) {}

    /** A bolt has executed a tuple; the latency is in milliseconds, or {@link #NOT_SAMPLED}. */
    default void executed(Tuple input, long latencyMs) {}

    /** A bolt is about to ack or fail a tuple; nothing is sent yet. */
    default void settling(Tuple input) {}

    /**
     * A bolt has acked a tuple. The latency is the time since the start of its execute in milliseconds, or {@link
     * #NOT_SAMPLED}.
     */
    default void acked(Tuple input, long latencyMs) {}

    /** A bolt has failed a tuple; the latency as for acks. */
    default void failed(Tuple input, long latencyMs) {}

    /** A spout has received an ack; the message's latency is null if it was not measured. */
    default void spoutAcked(SpoutMessage message) {}

    default void spoutFailed(SpoutMessage message) {}

    default void closing() {}

    /**
     * A message whose ack or fail a spout has received. Stream and values are null if it was emitted before the spout was
     * watched, the milliseconds since the emit if they were not measured.
     */
    record SpoutMessage(Object id, String stream, List<Object> values, Long latencyMs) {}
}
