package io.updraft.bench.child;

import io.updraft.bench.topology.Question;
import io.updraft.bench.topology.RunState;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** Where the components of one run are. Used by the harness's thread. */
interface Site extends AutoCloseable {

    /** {@return what components hand to {@link RunState#of}} */
    String runId();

    /** Starts what outlives the topology, if that does not run yet. */
    default void prepare() throws Exception {}

    /** Starts the topology. */
    void submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception;

    /** Asks all components something; {@return what they have counted so far} */
    RunState ask(Question question);

    /** Whether all that has to be there before anything is measured is there. */
    boolean isUp(RunState state);

    /** {@return what the processes of the components have used so far} */
    ProcessSample sample(RunState state);

    /** {@return what is known of processes that ended} */
    List<String> obituaries();

    /** Ends the topology, if that is worth waiting for. */
    @Override
    void close();
}
