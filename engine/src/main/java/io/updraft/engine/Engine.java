package io.updraft.engine;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * One running topology in this JVM, or one worker's part of it.
 *
 * <p>All methods may be called from any thread except the threads of the engine.
 */
public final class Engine extends TopologyRuntime {

    private Engine(Plan plan, EngineSettings settings, EngineOptions options, WorkerOptions self) {
        super(plan, settings, options, self);
    }

    /**
     * Plans the topology and starts it, spouts inactive. Components are opened and prepared at the first activation, as in
     * Storm. User classes are loaded with the calling thread's context class loader.
     *
     * @param topology the topology to run
     * @param conf the whole configuration, with Storm's defaults if components are to see them
     * @param options the options of the caller
     * @return the running engine
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned; nothing was started
     */
    public static Engine start(StormTopology topology, Map<String, Object> conf, EngineOptions options) {
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan(options.name(), options.id(), topology, conf, settings);
        return new Engine(plan, settings, options, WorkerOptions.ALONE);
    }

    /**
     * Plans the topology for several workers and starts the part of one worker, as {@link #start} starts the whole topology.
     * Tuples for other workers wait until the caller polls them; see {@link #remote}.
     *
     * @param topology the topology to run; the same for all workers
     * @param conf the whole configuration; the same for all workers
     * @param options the options of the caller
     * @param assignment which worker runs which executor; the same for all workers
     * @param self the number and incarnation of this worker
     * @return the running engine
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned; nothing was started
     * @throws IllegalArgumentException when the topology has no such worker
     */
    public static Engine startWorker(
            StormTopology topology,
            Map<String, Object> conf,
            EngineOptions options,
            Assignment assignment,
            WorkerOptions self) {
        if (self.worker() >= assignment.workers()) {
            throw new IllegalArgumentException("there is no worker " + self.worker() + " of topology '" + options.name()
                    + "': the topology has " + assignment.workers() + " workers, numbered from 0");
        }
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan(options.name(), options.id(), topology, conf, settings, assignment);
        return new Engine(plan, settings, options, self);
    }
}
