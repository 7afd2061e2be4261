package io.updraft.bench.topology;

import io.updraft.bench.spec.Counts;
import io.updraft.bench.spec.Shape;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * A topology that can be measured and whose answer can be checked. An implementation has a public constructor without
 * parameters and is named on the command line; its components count with the probes of {@link RunState}.
 *
 * <p>The spout's id is {@link #SPOUT}; it emits nothing more when {@link RunState#isQuiet} says so.
 */
public interface BenchTopology {

    /** The id of the component that emits the messages. */
    String SPOUT = "spout";

    /**
     * Builds the topology.
     *
     * @param shape how large, and under which load
     * @param runId what the components hand to {@link RunState#of}
     * @return the topology
     */
    StormTopology build(Shape shape, String runId);

    /**
     * Settings without which the topology cannot be measured, the same on both sides; those of a run go before them.
     *
     * @param shape what is built
     * @return the settings
     */
    default Map<String, Object> conf(Shape shape) {
        return Map.of();
    }

    /**
     * Counts messages that went through all levels.
     *
     * @param shape what was built
     * @param run what was counted
     * @return how many are through
     */
    long delivered(Shape shape, RunState run);

    /**
     * Compares the counters of a run whose spouts emit no more. Called again and again until it is satisfied or time
     * is up, so that it must not look at what tasks are still writing.
     *
     * @param shape what was built
     * @param run what was counted
     * @return what does not add up, in words; empty when all messages are where they should be
     */
    List<String> missing(Shape shape, RunState run);

    /**
     * Compares what the components computed, once, after {@link #missing} was satisfied.
     *
     * @param shape what was built
     * @param run what was counted
     * @return what is wrong, in words
     */
    default List<String> wrong(Shape shape, RunState run) {
        return List.of();
    }

    /**
     * Counts what is reported.
     *
     * @param shape what was built
     * @param run what was counted
     * @return the sums over all tasks now
     */
    default Counts counts(Shape shape, RunState run) {
        long acked = run.sum(SPOUT, Counter.ACKED);
        return new Counts(
                run.sum(SPOUT, Counter.EMITTED),
                shape.acked() ? acked : delivered(shape, run),
                run.sum(Counter.RECEIVED),
                run.sum(Counter.CROSSED),
                acked,
                run.sum(SPOUT, Counter.FAILED));
    }
}
