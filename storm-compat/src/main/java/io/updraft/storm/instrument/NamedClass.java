package io.updraft.storm.instrument;

import java.lang.reflect.InvocationTargetException;

/** Finds and makes what a setting names by its class, and says in one line why it cannot. */
final class NamedClass {

    private NamedClass() {}

    /**
     * Finds a class.
     *
     * @param setting the key that names it
     * @param name its name
     * @param kind what it has to be
     * @param loader where to look
     * @throws IllegalArgumentException when it is not there, or something else
     */
    static <T> Class<? extends T> find(String setting, String name, Class<T> kind, ClassLoader loader) {
        Class<?> found;
        try {
            found = Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(
                    setting + " names " + name
                            + ", but there is no such class: put it on the class path of the topology"
                            + " or correct the name",
                    e);
        }
        if (!kind.isAssignableFrom(found)) {
            throw new IllegalArgumentException(
                    setting + " names " + name + ", which is not a " + kind.getName() + ": correct the name");
        }
        return found.asSubclass(kind);
    }

    /**
     * Makes an instance with the constructor that takes nothing.
     *
     * @throws IllegalArgumentException when there is none, or it throws
     */
    static <T> T make(String setting, Class<T> of) {
        try {
            var constructor = of.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    setting + " names " + of.getName() + ", whose constructor failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    setting + " names " + of.getName() + ", which cannot be created: give it a constructor without"
                            + " arguments, and do not make it abstract or an inner class",
                    e);
        }
    }
}
