package io.updraft.bench.topology;

import io.updraft.bench.spec.RunCounts;
import io.updraft.bench.spec.Shape;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;

/**
 * A topology for the bench, which measures it and checks its results. An implementation has a public constructor without
 * parameters, and its class name is the value of {@code --topology}. Its components count with the probes of {@link BenchRunState}.
 *
 * <p>The spout's id is {@link #SPOUT}. The spout must stop emitting when {@link BenchRunState#isQuiet} returns true.
 */
public interface BenchTopology {

    /** The id of the component that emits the messages. */
    String SPOUT = "spout";

    /** The names that are not class names. */
    List<String> NAMES = List.of("sol", "wordcount", "windowsum", "tridentwords");

    /**
     * Finds a topology by its name on the command line.
     *
     * @param name one of {@link #NAMES}, or a class that implements this interface
     * @throws IllegalArgumentException when the name is neither; the message lists the names
     */
    static BenchTopology named(String name) {
        return switch (name) {
            case "sol" -> new SpeedOfLightTopology();
            case "wordcount" -> new WordCountTopology();
            case "windowsum" -> new WindowSumTopology();
            case "tridentwords" -> new TridentWordsTopology();
            default -> load(name);
        };
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

    /** {@return the parallelism of all spouts and bolts, which is also their number of tasks} */
    static int executors(StormTopology topology) {
        return Stream.concat(
                        topology.get_spouts().values().stream().map(spout -> spout.get_common()),
                        topology.get_bolts().values().stream().map(bolt -> bolt.get_common()))
                .mapToInt(common -> Math.max(1, common.get_parallelism_hint()))
                .sum();
    }

    /**
     * Builds the topology.
     *
     * @param shape the parallelism and the load
     * @param runId the run's id, which components pass to {@link BenchRunState#of}
     */
    StormTopology build(Shape shape, String runId);

    /** {@return settings that the topology needs on every runtime; the settings of a run override them} */
    default Map<String, Object> conf(Shape shape) {
        return Map.of();
    }

    /** {@return the number of messages that passed all levels} */
    long delivered(Shape shape, BenchRunState run);

    /**
     * Compares the counters of a run whose spouts no longer emit. The harness calls this repeatedly until the result is empty
     * or a time limit is reached. An implementation must not read data that tasks still write, other than counters.
     *
     * @return a description of each mismatch; empty when all messages have arrived
     */
    List<String> missing(Shape shape, BenchRunState run);

    /**
     * Checks the components' results. The harness calls this once, after {@link #missing} returned an empty list.
     *
     * @return a description of each wrong result; empty if all are right
     */
    default List<String> wrong(Shape shape, BenchRunState run) {
        return List.of();
    }

    /** {@return further figures of a run that had nothing missing or wrong, by their names} */
    default Map<String, Integer> figures(BenchRunState run) {
        return Map.of();
    }

    /** {@return the counters for progress rows and results, summed over all tasks now} */
    default RunCounts counts(Shape shape, BenchRunState run) {
        long acked = run.sum(SPOUT, TaskCounter.ACKED);
        return new RunCounts(
                run.sum(SPOUT, TaskCounter.EMITTED),
                shape.acked() ? acked : delivered(shape, run),
                run.sum(TaskCounter.RECEIVED),
                run.sum(TaskCounter.CROSSED),
                acked,
                run.sum(SPOUT, TaskCounter.FAILED));
    }
}
