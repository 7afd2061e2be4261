package io.updraft.engine.run;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.testing.TestContexts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;

/** One worker's part of a topology. The test runs its loops and acts as its gateway. */
public final class SingleWorker {

    private final SimClock clock = new SimClock();
    private final TopologyLifecycle lifecycle = new TopologyLifecycle();
    private final List<String> errors = new ArrayList<>();
    private final Plan plan;
    private final LoopAssembly assembly;
    private final RemoteWorkers remote;
    private int woken;

    public SingleWorker(StormTopology topology, int workers, int worker, int incarnation, int loops) {
        this(topology, workers, worker, incarnation, Map.of(EngineSettings.LOOPS, loops), letter -> {});
    }

    public SingleWorker(
            StormTopology topology,
            int workers,
            int worker,
            int incarnation,
            Map<String, Object> own,
            Consumer<DeadLetter> deadLetters) {
        Map<String, Object> conf = new HashMap<>(Map.of(EngineSettings.QUEUE_HIGH_WATER, 100));
        conf.putAll(own);
        EngineSettings settings = EngineSettings.of(conf);
        plan = Planner.plan("test", "test-1", topology, conf, settings, Assignment.even(workers));
        EngineOptions options = new EngineOptions(
                "test",
                "test-1",
                new TestContexts(),
                clock,
                7 + worker,
                error -> errors.add(error.toString()),
                death -> {});
        WorkerOptions self = new WorkerOptions(worker, incarnation, () -> woken++);
        assembly = LoopAssembly.of(
                plan,
                settings,
                options,
                self,
                deadLetters,
                new SingleThreadRuntime(),
                lifecycle,
                death -> errors.add(death.toString()));
        remote = assembly.remote();
    }

    public TopologyLifecycle lifecycle() {
        return lifecycle;
    }

    public List<String> errors() {
        return errors;
    }

    public Plan plan() {
        return plan;
    }

    public LoopAssembly assembly() {
        return assembly;
    }

    public RemoteWorkers remote() {
        return remote;
    }

    /** How often the gateway was woken. */
    public int woken() {
        return woken;
    }

    /** Lets each loop go round so many times. */
    public void run(int rounds) {
        for (int i = 0; i < rounds; i++) {
            assembly.loops().forEach(EventLoop::doWork);
            clock.advance(1_000_000);
        }
    }

    /** Advances the clock. */
    public void pass(long nanos) {
        clock.advance(nanos);
    }

    public ExecutorSlot seatOf(String component) {
        return assembly.slots().stream()
                .filter(slot -> slot.executor().component().id().equals(component))
                .findFirst()
                .orElseThrow();
    }
}
