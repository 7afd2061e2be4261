package io.updraft.engine.run;

import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.storm.tuple.Values;

/**
 * The collector calls of one instance of a component. Calls come from the turn of its executor, or from a thread that the
 * component has started. For the engine, that is any thread that is not in the executor's turn.
 */
abstract class SimCalls {

    final Simulation simulation;
    final SimModel model;
    final SeededRandom chance;
    final SimInstance instance;

    /** Names the component's own thread. */
    private final int ownThread;

    /** Whether the component's own thread is in a call: it makes one call at a time. */
    private boolean outsideBusy;

    SimCalls(Simulation simulation, SimInstance instance) {
        this.simulation = simulation;
        this.model = simulation.model();
        this.chance = simulation.chance();
        this.instance = instance;
        this.ownThread = simulation.add(this);
    }

    /** Does something that a thread of the component's own might do. */
    abstract void actOutside();

    final boolean isOutsideBusy() {
        return outsideBusy;
    }

    final int thread(boolean outside) {
        return outside ? ownThread : 0;
    }

    /** Calls as the turn does, or as a thread of the component's own would while the turn is or is not on. */
    final <T> T call(boolean outside, Supplier<T> call) {
        if (!outside) {
            return callSeen(call);
        }
        simulation.count(SimEvent.OUTSIDE_CALL);
        outsideBusy = true;
        try {
            return simulation.outside(instance.task, () -> callSeen(call));
        } finally {
            outsideBusy = false;
        }
    }

    private <T> T callSeen(Supplier<T> call) {
        Object seen = instance.wrapping.expect();
        T result = call.get();
        instance.wrapping.seen(seen);
        return result;
    }

    /** Whether a thread of the component's own could make a call now without waiting for others that cannot run. */
    final boolean mayCallOutside() {
        Executor executor = simulation.executorOf(instance.task);
        return simulation.isAtTop() || !executor.isHeldBack();
    }

    final SimTopology.Stream anyStream() {
        List<SimTopology.Stream> streams = simulation.topology().streams(instance.component);
        return streams.isEmpty() ? null : chance.pick(streams);
    }

    final Values values(SimSent sent) {
        return new Values(chance.between(0, 9), sent);
    }

    /** A task to name in a direct emit; null when nobody subscribed. */
    final Integer directTarget(SimTopology.Stream stream) {
        List<Integer> tasks = new ArrayList<>();
        for (SimTopology.Subscription subscription : stream.subscriptions()) {
            for (int task : simulation.tasksOf(subscription.bolt())) {
                tasks.add(task);
            }
        }
        return tasks.isEmpty() ? null : chance.pick(tasks);
    }
}
