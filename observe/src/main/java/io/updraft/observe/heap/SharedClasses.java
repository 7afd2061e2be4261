package io.updraft.observe.heap;

import java.util.List;

/** Tells which objects belong to the process, and not to the component that refers to them. */
final class SharedClasses {
    /** Contexts, collectors and services. Names that begin with one of these are shared. */
    private static final List<String> SHARED = List.of(
            "org.apache.storm.task.",
            "org.apache.storm.spout.SpoutOutputCollector",
            "org.apache.storm.topology.BasicOutputCollector",
            "org.apache.storm.metric",
            "org.apache.storm.generated.",
            "org.slf4j.",
            "org.apache.logging.",
            "io.updraft.cluster.",
            "io.updraft.storm.",
            "io.updraft.engine.");

    /** Objects of these packages belong to the component that holds them, although the names begin like shared ones. */
    private static final List<String> OWNED = List.of("io.updraft.storm.component.", "io.updraft.engine.tuple.");

    private SharedClasses() {}

    static boolean isShared(Object object) {
        Class<?> type = object.getClass();
        return object instanceof Class<?>
                || object instanceof ClassLoader
                || object instanceof Thread
                || object instanceof ThreadGroup
                || object instanceof ThreadLocal<?>
                || object instanceof Enum<?>
                || object instanceof java.lang.ref.Reference<?>
                || isShared(type.getName());
    }

    private static boolean isShared(String type) {
        return SHARED.stream().anyMatch(type::startsWith) && OWNED.stream().noneMatch(type::startsWith);
    }

    /** {@return whether the JDK does not let the fields of a class be read} */
    static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }
}
