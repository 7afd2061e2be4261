package io.updraft.testing.contract;

/**
 * A violation of a rule by a component.
 *
 * @param rule the rule
 * @param during the conditions of the run
 * @param message the violation, as text for people
 */
public record Violation(Rule rule, String during, String message) {
    /** The rules for components. */
    public enum Rule {
        /** The component can be serialized; every submission serializes it. */
        SERIALIZABLE_COMPONENT,
        /** No method throws under these conditions. */
        THROWS_NOTHING,
        /** Calls return. */
        RETURNS,
        /** Tuples are emitted on streams that are declared, with as many values as fields. */
        EMITS_WHAT_IT_DECLARES,
        /** Values arrive unchanged in another worker. */
        SERIALIZABLE_VALUES,
        /** Values are not changed after they have been emitted. */
        LEAVES_EMITTED_VALUES_ALONE,
        /** The values of input tuples are not changed, because other bolts share the objects. */
        LEAVES_INPUT_ALONE,
        /** Each tuple is acked or failed, at the latest after ticks or when the bolt is closed. */
        ENDS_EVERY_TUPLE,
        /** No tuple is acked or failed twice, or without having been passed to the bolt. */
        ENDS_A_TUPLE_ONCE,
        /** Tuples are anchored only to tuples that have been neither acked nor failed. */
        ANCHORS_TO_LIVING_TUPLES,
        /** Pending messages have different ids. */
        DISTINCT_MESSAGE_IDS,
        /** A message that failed is emitted again. */
        REPLAYS_WHAT_FAILED,
        /** One call of {@code nextTuple} emits a bounded number of tuples. */
        EMITS_LITTLE_AT_ONCE,
        /** Nothing is emitted before the spout is activated or after it was deactivated or closed. */
        RESTS_WHEN_INACTIVE,
        /** No thread still runs after the end. */
        LEAVES_NO_THREADS
    }

    @Override
    public String toString() {
        return rule + " (" + during + "): " + message;
    }
}
