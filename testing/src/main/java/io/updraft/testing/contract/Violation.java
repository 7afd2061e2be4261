package io.updraft.testing.contract;

/**
 * Something that a component did and must not do.
 *
 * @param rule which rule it breaks
 * @param during the conditions under which it was seen
 * @param message what it did
 */
public record Violation(Rule rule, String during, String message) {

    /** What components owe. */
    public enum Rule {
        /** The component can be serialized, as every submission does. */
        SERIALIZABLE_COMPONENT,
        /** No method throws under these conditions. */
        THROWS_NOTHING,
        /** Calls return. */
        RETURNS,
        /** Tuples are emitted on streams that are declared, with as many values as fields. */
        EMITS_WHAT_IT_DECLARES,
        /** Values survive the way to another worker. */
        SERIALIZABLE_VALUES,
        /** Values are not changed after they were emitted. */
        LEAVES_EMITTED_VALUES_ALONE,
        /** The values of input tuples are not changed; other bolts have the same objects. */
        LEAVES_INPUT_ALONE,
        /** Each tuple is acked or failed, at the latest when the bolt is closed or has seen ticks. */
        ENDS_EVERY_TUPLE,
        /** No tuple is acked or failed twice, or without having been given to the bolt. */
        ENDS_A_TUPLE_ONCE,
        /** Tuples are anchored to tuples that are not acked yet. */
        ANCHORS_TO_LIVING_TUPLES,
        /** Two messages that are pending have different ids. */
        DISTINCT_MESSAGE_IDS,
        /** A message that failed is emitted again. */
        REPLAYS_WHAT_FAILED,
        /** One call of {@code nextTuple} emits a bounded number of tuples. */
        EMITS_LITTLE_AT_ONCE,
        /** Nothing is emitted before the spout is activated or after it was deactivated or closed. */
        RESTS_WHEN_INACTIVE,
        /** No thread is left behind. */
        LEAVES_NO_THREADS
    }

    @Override
    public String toString() {
        return rule + " (" + during + "): " + message;
    }
}
