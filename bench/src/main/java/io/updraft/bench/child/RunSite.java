package io.updraft.bench.child;

import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** Runs the components of one run, in this process or in workers. Used by the harness's thread. */
interface RunSite extends AutoCloseable {

    /** {@return the run's id, which components pass to {@link BenchRunState#of}} */
    String runId();

    /** Starts processes that outlive the topology, unless they already run. */
    default void prepare() throws Exception {}

    void submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception;

    /** Sends a question to all components; {@return their counts so far} */
    BenchRunState ask(BenchQuery question);

    /** Whether all tasks and workers have started, so that the measurement may begin. */
    boolean isUp(BenchRunState state);

    /** {@return the resource usage of the components' processes so far} */
    ProcessSample sample(BenchRunState state);

    /** {@return one line for each process that ended unexpectedly} */
    List<String> obituaries();

    /** Ends the topology, unless the process ends soon anyway. */
    @Override
    void close();
}
