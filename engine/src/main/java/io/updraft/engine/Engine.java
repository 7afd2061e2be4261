package io.updraft.engine;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.RemoteWorkers;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.loop.RunningTopology;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.plan.Settings;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * One running topology in this JVM, or one worker's part of it.
 *
 * <p>All methods may be called from any thread except the threads of the engine.
 */
public final class Engine implements TopologyEngine {

    private final RunningTopology running;

    private Engine(RunningTopology running) {
        this.running = running;
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
        Settings settings = Settings.of(conf);
        Plan plan = Planner.plan(options.name(), options.id(), topology, conf, settings);
        return new Engine(new RunningTopology(plan, settings, options, WorkerOptions.ALONE));
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
        Settings settings = Settings.of(conf);
        Plan plan = Planner.plan(options.name(), options.id(), topology, conf, settings, assignment);
        return new Engine(new RunningTopology(plan, settings, options, self));
    }

    /** {@return the connections to the other workers, for the gateway thread that exchanges batches with them} */
    public RemoteWorkers remote() {
        return running.remote();
    }

    /** {@return the plan that the engine runs} */
    @Override
    public Plan plan() {
        return running.plan();
    }

    /** Activates the spouts: the engine calls {@code nextTuple} from now on. */
    @Override
    public void activate() {
        running.activate();
    }

    /** Deactivates the spouts: the engine no longer calls {@code nextTuple}. Tuples in flight are still processed. */
    @Override
    public void deactivate() {
        running.deactivate();
    }

    /** {@return whether the spouts are active} */
    @Override
    public boolean isActive() {
        return running.isActive();
    }

    /**
     * Waits until nothing is in flight: every tuple executed and every tuple tree completed. Only meaningful when the spouts
     * are inactive or have nothing more to emit. With several workers, only this worker is idle; tuples may be on their way
     * from another worker.
     *
     * @param limit the longest time to wait
     * @return whether the engine was idle in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    @Override
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        return running.awaitIdle(limit);
    }

    @Override
    public boolean awaitExecuted(Duration limit) throws InterruptedException {
        return running.awaitExecuted(limit);
    }

    @Override
    public boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException {
        return running.rebalance(executors, limit);
    }

    /** {@return the state of the topology now} */
    @Override
    public EngineSnapshot snapshot() {
        return running.snapshot();
    }

    /** {@return the failure that ended the engine; null while the engine runs, or if its owner closed it} */
    @Override
    public ErrorReport death() {
        return running.death();
    }

    @Override
    public boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        return running.exitCalled(thread, stack);
    }

    /**
     * Stops at once. Tuples in flight are lost; {@code close} and {@code cleanup} are called. User code that does not return is
     * interrupted after ten seconds, and its thread is abandoned after eleven. Idempotent.
     */
    @Override
    public void close() {
        running.close();
    }
}
