package io.updraft.observe.advice;

/**
 * A resource of a topology, and how much of it is used.
 *
 * @param component the component, for the executors of one; else empty
 * @param use the used share; more than 1 if the topology cannot keep its rate with a changed setup
 */
record Limit(Resource resource, String component, double use) {
    enum Resource {
        /** The executors of a component. Each runs one call at a time. */
        EXECUTORS,
        /** The executor that gets the heaviest key of a fields grouping. */
        HOT_KEY,
        /** The event loops, which run the executors in turns. */
        LOOPS,
        CORES,
        /** The number of tuple trees that may be in flight. */
        PENDING
    }

    /** {@return who limits, such as {@code parse limits} or {@code the cores limit}} */
    String limits() {
        return name() + (resource == Resource.LOOPS || resource == Resource.CORES ? " limit" : " limits");
    }

    /** {@return the resource in words, such as {@code parse} or {@code the cores}} */
    String name() {
        return switch (resource) {
            case EXECUTORS -> component;
            case HOT_KEY -> component + " (hot key)";
            case LOOPS -> "the event loops";
            case CORES -> "the cores";
            case PENDING -> "topology.max.spout.pending";
        };
    }
}
