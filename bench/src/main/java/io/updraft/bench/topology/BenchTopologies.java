package io.updraft.bench.topology;

import java.util.List;
import java.util.stream.Stream;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;

/** Finds benchmark topologies by their names on the command line. */
public final class BenchTopologies {

    /** The names that are not class names. */
    public static final List<String> NAMES = List.of("sol", "wordcount", "windowsum", "tridentwords");

    private BenchTopologies() {}

    /**
     * Finds a topology.
     *
     * @param name one of {@link #NAMES}, or a class that implements {@link BenchTopology}
     * @throws IllegalArgumentException when the name is neither; the message lists the names
     */
    public static BenchTopology named(String name) {
        return switch (name) {
            case "sol" -> new SpeedOfLightTopology();
            case "wordcount" -> new WordCountTopology();
            case "windowsum" -> new WindowSumTopology();
            case "tridentwords" -> new TridentWordsTopology();
            default -> load(name);
        };
    }

    /**
     * Counts executors.
     *
     * @return the parallelism of all spouts and bolts, which is also their number of tasks
     */
    public static int executors(StormTopology topology) {
        Stream<ComponentCommon> spouts = topology.get_spouts().values().stream().map(SpoutSpec::get_common);
        Stream<ComponentCommon> bolts = topology.get_bolts().values().stream().map(Bolt::get_common);
        return Stream.concat(spouts, bolts)
                .mapToInt(common -> Math.max(1, common.get_parallelism_hint()))
                .sum();
    }

    private static BenchTopology load(String name) {
        try {
            return Class.forName(name)
                    .asSubclass(BenchTopology.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a topology; use " + String.join(", ", NAMES) + " or a class that implements "
                            + BenchTopology.class.getName(),
                    e);
        }
    }
}
