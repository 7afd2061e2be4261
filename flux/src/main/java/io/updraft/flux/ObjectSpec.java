package io.updraft.flux;

import java.util.List;

/**
 * An object that a description asks for.
 *
 * @param where where its description begins
 * @param id its name; null where it needs none
 * @param className its class, or the class of its factory
 * @param constructorArgs what its constructor is given
 * @param factory the static method that makes it; null for the constructor
 * @param factoryArgs what that method is given
 * @param properties what is set afterwards
 * @param configMethods what is called after that
 */
record ObjectSpec(
        Where where,
        String id,
        String className,
        List<Value> constructorArgs,
        String factory,
        List<Value> factoryArgs,
        List<Property> properties,
        List<Call> configMethods) {

    /**
     * A property to set.
     *
     * @param where where it is
     * @param name its name
     * @param value its value
     */
    record Property(Where where, String name, Value value) {}

    /**
     * A method to call.
     *
     * @param where where it is
     * @param name its name
     * @param args what it is given
     */
    record Call(Where where, String name, List<Value> args) {}
}
