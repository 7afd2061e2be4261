package io.updraft.flux;

import java.util.List;

/**
 * A subscription.
 *
 * @param where where it is
 * @param from who emits
 * @param to who is given it
 * @param grouping how its tuples are dealt out
 * @param streamId the stream
 * @param fields what a fields grouping looks at
 * @param custom the class of a custom grouping, or null
 */
record StreamSpec(
        Where where,
        String from,
        String to,
        Grouping grouping,
        String streamId,
        List<String> fields,
        ObjectSpec custom) {

    /** Storm's groupings, by their names in a description. */
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
