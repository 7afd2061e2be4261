package io.updraft.storm.instrument.plugin;

import java.lang.reflect.InvocationTargetException;

/** Finds and creates classes that settings name. An error is one line. */
public final class ConfiguredClass {

    private ConfiguredClass() {}

    /** Finds a class by the name that a setting has; throws if there is none, or if it is of another type. */
    public static <T> Class<? extends T> find(String setting, String name, Class<T> kind, ClassLoader loader) {
        Class<?> found;
        try {
            found = Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(
                    setting + " names " + name
                            + ", but that class does not exist: put it on the class path of the topology"
                            + " or correct the name",
                    e);
        }
        if (!kind.isAssignableFrom(found)) {
            throw new IllegalArgumentException(
                    setting + " names " + name + ", which is not a " + kind.getName() + ": correct the name");
        }
        return found.asSubclass(kind);
    }

    /** Creates an instance by the constructor without arguments; throws if that is not possible. */
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
