package io.updraft.bench.topology;

import io.updraft.bench.spec.RunCounts;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.TaskCounter;
import java.util.List;
import java.util.Map;
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

    /**
     * Builds the topology.
     *
     * @param shape the parallelism and the load
     * @param runId the run's id, which components pass to {@link BenchRunState#of}
     */
    StormTopology build(Shape shape, String runId);

    /**
     * Returns settings that the topology needs on every runtime. The settings of a run override them.
     *
     * @param shape the shape of the built topology
     */
    default Map<String, Object> conf(Shape shape) {
        return Map.of();
    }

    /**
     * Counts messages that passed all levels.
     *
     * @param shape the shape of the built topology
     * @return the number of such messages
     */
    long delivered(Shape shape, BenchRunState run);

    /**
     * Compares the counters of a run whose spouts no longer emit. The harness calls this repeatedly until the result is empty
     * or a time limit is reached. An implementation must not read data that tasks still write, other than counters.
     *
     * @param shape the shape of the built topology
     * @return a description of each mismatch; empty when all messages have arrived
     */
    List<String> missing(Shape shape, BenchRunState run);

    /**
     * Checks the components' results. The harness calls this once, after {@link #missing} returned an empty list.
     *
     * @param shape the shape of the built topology
     * @return a description of each wrong result; empty if all are right
     */
    default List<String> wrong(Shape shape, BenchRunState run) {
        return List.of();
    }

    /**
     * Sums the counters for progress rows and results.
     *
     * @param shape the shape of the built topology
     * @return the sums over all tasks now
     */
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
