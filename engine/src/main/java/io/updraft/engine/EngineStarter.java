package io.updraft.engine;

import io.updraft.engine.api.EngineOptions;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** Decides where a topology runs, and starts it there; {@link Engine#start} runs it in this JVM. */
@FunctionalInterface
public interface EngineStarter {

    /**
     * Plans a topology and starts it, spouts inactive. User classes are found with the calling thread's context class
     * loader.
     *
     * @param topology what to run
     * @param conf the whole configuration, Storm's defaults included where components are to see them
     * @param options the caller's own decisions
     * @return the running topology
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned or started; nothing of it runs
     */
    TopologyEngine start(StormTopology topology, Map<String, Object> conf, EngineOptions options);
}
