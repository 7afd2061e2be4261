package io.updraft.flux;

import java.util.List;

/**
 * An argument or the value of a property: a YAML value or references to components.
 *
 * @param where the place in the description
 * @param plain the YAML value; null for references, or for the value null
 * @param references the ids of the components
 * @param kind the kind of value
 */
record ArgumentSpec(SourcePosition where, Object plain, List<String> references, Kind kind) {

    enum Kind {
        PLAIN,
        /** {@code ref: id}. */
        REFERENCE,
        /** {@code reflist: [id, id]}: a list of components. */
        REFERENCES
    }

    static ArgumentSpec plain(SourcePosition where, Object value) {
        return new ArgumentSpec(where, value, List.of(), Kind.PLAIN);
    }
}
