package io.updraft.engine.loop;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.RemoteWorkers;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.plan.Settings;
import io.updraft.engine.testing.TestContexts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** One worker's part of a topology. The test runs its loops and acts as its gateway. */
final class OneWorker {

    private final SimClock clock = new SimClock();
    private final Lifecycle lifecycle = new Lifecycle();
    private final List<String> errors = new ArrayList<>();
    private final Plan plan;
    private final Assembly assembly;
    private final RemoteWorkers remote;
    private int woken;

    OneWorker(StormTopology topology, int workers, int worker, int incarnation, int loops) {
        Map<String, Object> conf = new HashMap<>(Map.of(Settings.LOOPS, loops, Settings.QUEUE_HIGH_WATER, 100));
        Settings settings = Settings.of(conf);
        plan = Planner.plan("test", "test-1", topology, conf, settings, Assignment.even(workers));
        EngineOptions options = new EngineOptions(
                "test", "test-1", new TestContexts(), clock, 7, error -> errors.add(error.toString()), death -> {});
        WorkerOptions self = new WorkerOptions(worker, incarnation, () -> woken++);
        assembly = Assembly.of(
                plan,
                settings,
                options,
                self,
                DeadLetters.NONE,
                new OneThread(),
                lifecycle,
                death -> errors.add(death.toString()));
        remote = assembly.remote();
    }

    Lifecycle lifecycle() {
        return lifecycle;
    }

    List<String> errors() {
        return errors;
    }

    Plan plan() {
        return plan;
    }

    Assembly assembly() {
        return assembly;
    }

    RemoteWorkers remote() {
        return remote;
    }

    /** How often the gateway was woken. */
    int woken() {
        return woken;
    }

    /** Lets each loop go round so many times. */
    void run(int rounds) {
        for (int i = 0; i < rounds; i++) {
            assembly.loops().forEach(EventLoop::doWork);
            clock.advance(1_000_000);
        }
    }

    Seat seatOf(String component) {
        return assembly.slots().stream()
                .filter(slot -> slot.executor().component().id().equals(component))
                .findFirst()
                .orElseThrow();
    }
}
