package io.updraft.observe.process;

/**
 * The component with the most tuples in its queues.
 *
 * @param component the component; null if no tuple waits
 * @param tuples the tuples that wait for it
 */
public record LongestQueue(String component, long tuples) {
    /** No tuple waits. */
    public static final LongestQueue NONE = new LongestQueue(null, 0);

    /**
     * Compares with a further component.
     *
     * @param other the component
     * @param queued the tuples that wait for it
     * @return the longer queue
     */
    public LongestQueue or(String other, long queued) {
        return queued > tuples ? new LongestQueue(other, queued) : this;
    }

    /** {@return the continuation of a sentence about a full heap that no component's fields explain} */
    public String describe() {
        return component == null
                ? ""
                : "; the longest queue is that of component '" + component + "' (" + tuples + " tuples)";
    }
}
