package io.updraft.flux;

import io.updraft.storm.yaml.Position;
import java.util.List;

/**
 * An object defined in a description. The id is null where none is needed. Without a factory method of the class, its
 * constructor is called; the properties are set afterwards, then the configuration methods are called.
 */
record ObjectSpec(
        Position where,
        String id,
        String className,
        List<ArgumentSpec> constructorArgs,
        String factory,
        List<ArgumentSpec> factoryArgs,
        List<Property> properties,
        List<Call> configMethods) {

    record Property(Position where, String name, ArgumentSpec value) {}

    record Call(Position where, String name, List<ArgumentSpec> args) {}

    /** An argument or the value of a property: a YAML value, null for references, or the ids of components. */
    record ArgumentSpec(Position where, Object plain, List<String> references, Kind kind) {

        enum Kind {
            PLAIN,
            /** {@code ref: id}. */
            REFERENCE,
            /** {@code reflist: [id, id]}: a list of components. */
            REFERENCES
        }

        static ArgumentSpec plain(Position where, Object value) {
            return new ArgumentSpec(where, value, List.of(), Kind.PLAIN);
        }
    }
}
