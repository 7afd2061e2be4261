package io.updraft.flux;

import java.util.List;

/**
 * A subscription.
 *
 * @param where the place in the description
 * @param from the emitting component
 * @param to the subscribing bolt
 * @param grouping the grouping
 * @param streamId the stream
 * @param fields the fields of a fields grouping
 * @param custom the class of a custom grouping, or null
 */
record StreamSpec(
        SourcePosition where,
        String from,
        String to,
        Grouping grouping,
        String streamId,
        List<String> fields,
        ObjectSpec custom) {

    /** Storm's groupings, with their names in a description. */
    enum Grouping {
        ALL,
        CUSTOM,
        DIRECT,
        SHUFFLE,
        LOCAL_OR_SHUFFLE,
        FIELDS,
        GLOBAL,
        NONE
    }
}
