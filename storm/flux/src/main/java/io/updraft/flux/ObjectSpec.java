package io.updraft.flux;

import java.util.List;

/**
 * An object defined in a description.
 *
 * @param where the place where the definition begins
 * @param id the id; null where none is needed
 * @param className the class of the object, or the class with the factory method
 * @param constructorArgs the arguments of the constructor
 * @param factory the static method that creates the object; null for the constructor
 * @param factoryArgs the arguments of that method
 * @param properties the properties to set afterwards
 * @param configMethods the methods to call after that
 */
record ObjectSpec(
        SourcePosition where,
        String id,
        String className,
        List<ArgumentSpec> constructorArgs,
        String factory,
        List<ArgumentSpec> factoryArgs,
        List<Property> properties,
        List<Call> configMethods) {

    /** A property to set. */
    record Property(SourcePosition where, String name, ArgumentSpec value) {}

    /** A method to call. */
    record Call(SourcePosition where, String name, List<ArgumentSpec> args) {}

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
}
