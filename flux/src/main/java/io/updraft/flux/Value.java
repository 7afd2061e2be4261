package io.updraft.flux;

import java.util.List;

/**
 * An argument or the value of a property: what the YAML says, or components that it refers to.
 *
 * @param where where it is
 * @param plain the value; null if it is a reference, or null
 * @param references the components that it refers to
 * @param kind what it is
 */
record Value(Where where, Object plain, List<String> references, Kind kind) {

    enum Kind {
        PLAIN,
        /** {@code ref: id}. */
        REFERENCE,
        /** {@code reflist: [id, id]}: a list of components. */
        REFERENCES
    }

    static Value plain(Where where, Object value) {
        return new Value(where, value, List.of(), Kind.PLAIN);
    }
}
