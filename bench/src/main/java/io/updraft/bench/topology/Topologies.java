package io.updraft.bench.topology;

import java.util.List;

/** The topologies by their names on the command line. */
public final class Topologies {

    /** The names that are not class names. */
    public static final List<String> NAMES = List.of("sol", "wordcount");

    private Topologies() {}

    /**
     * Finds a topology.
     *
     * @param name one of {@link #NAMES}, or a class that implements {@link BenchTopology}
     * @return the topology
     * @throws IllegalArgumentException when there is none of that name; the message says why
     */
    public static BenchTopology named(String name) {
        switch (name) {
            case "sol":
                return new SpeedOfLight();
            case "wordcount":
                return new WordCount();
            default:
                return load(name);
        }
    }

    private static BenchTopology load(String name) {
        try {
            return Class.forName(name)
                    .asSubclass(BenchTopology.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is none of " + String.join(", ", NAMES) + " and no class that implements "
                            + BenchTopology.class.getName(),
                    e);
        }
    }
}
