package io.updraft.engine.api;

import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** Chooses where a topology runs and starts the topology there; {@code Engine#start} runs it in this JVM. */
@FunctionalInterface
public interface EngineStarter {

    /**
     * Plans a topology and starts it, spouts inactive. User classes are loaded with the calling thread's context class loader.
     *
     * @param topology the topology to run
     * @param conf the whole configuration, with Storm's defaults if components are to see them
     * @param options the options of the caller
     * @return the running topology
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned or started; no part of the topology
     *     runs then
     */
    TopologyEngine start(StormTopology topology, Map<String, Object> conf, EngineOptions options);
}
