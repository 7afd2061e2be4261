package io.updraft.engine.snapshot;

import java.util.List;

/** Tells the frames of a stack that are code of a user from those of the platform below it: Java, the engine, and Storm's API. */
public final class PlatformFrames {
    private static final List<String> RUNTIME = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    /** Pass on calls between the engine and components. */
    private static final List<String> ADAPTERS = List.of(
            "io.updraft.storm.instrument.", "io.updraft.storm.legacy.", "io.updraft.cluster.", "io.updraft.base.");

    private static final String ENGINE = "io.updraft.engine.";
    private static final String STORM = "org.apache.storm.";
    private static final String STORM_REPLACEMENTS = "io.updraft.storm.";

    private PlatformFrames() {}

    /**
     * {@return whether a class passes on calls of components: the Java runtime's, the engine's, or a collector of Storm} Storm's own
     * components, and those that Updraft ships, are none of these.
     *
     * @param type the name of the class
     */
    public static boolean isPlatform(String type) {
        return startsWithAny(type, RUNTIME)
                || isInPackageOf(ENGINE, type)
                || startsWithAny(type, ADAPTERS)
                || type.startsWith(STORM)
                        && type.substring(type.lastIndexOf('.') + 1).contains("Collector");
    }

    /** The engine's own package has none of its frames above those of a component. */
    private static boolean isInPackageOf(String parent, String type) {
        return type.startsWith(parent) && Character.isLowerCase(type.charAt(parent.length()));
    }

    private static boolean isStorm(String type) {
        return type.startsWith(STORM) || type.startsWith(STORM_REPLACEMENTS);
    }

    private static boolean startsWithAny(String type, List<String> prefixes) {
        return prefixes.stream().anyMatch(type::startsWith);
    }

    /**
     * Finds the place of a call. Storm's classes count only if no others are on the stack: then the component is Storm's own.
     *
     * @param stack the frames as text, innermost first
     * @return the innermost place in code of the user, as {@code Foo.java:17}; empty if there is none
     */
    static String place(List<String> stack) {
        List<String> components =
                stack.stream().filter(frame -> !isPlatform(typeOf(frame))).toList();
        return components.stream()
                .filter(frame -> !isStorm(typeOf(frame)))
                .findFirst()
                .or(() -> components.stream().findFirst())
                .map(PlatformFrames::placeOf)
                .orElse("");
    }

    private static String placeOf(String frame) {
        int open = frame.lastIndexOf('(');
        return open < 0 ? frame : frame.substring(open + 1, frame.length() - 1);
    }

    /** Returns the class and the method, without the class loader and the module before them. */
    private static String typeOf(String frame) {
        int open = frame.indexOf('(');
        String method = frame.substring(frame.lastIndexOf('/', open) + 1, open < 0 ? frame.length() : open);
        int dot = method.lastIndexOf('.');
        return dot < 0 ? method : method.substring(0, dot);
    }
}
