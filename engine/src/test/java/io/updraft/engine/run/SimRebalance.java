package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimEvent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes the numbers of executors at random moments, step by step, as a thread of Nimbus would. This may happen during calls
 * of components, as long as no loop is in a call.
 */
final class SimRebalance {

    private final Simulation simulation;
    private final SimWorker worker;
    private final SeededRandom chance;

    /** Of a hundred moments at which a change may begin, how many bring one. */
    private final int percent;

    private Plan plan;
    private Plan next;

    /** The change that is under way, or null. */
    private ExecutorRebalance regroup;

    private Set<String> changed = Set.of();

    /** Looks until messages in flight have to fail, and until it is given up. */
    private int timeout;

    private int looks;

    /** Whether the loops are to stand still as soon as they can. */
    private boolean wanted;

    SimRebalance(Simulation simulation, SimWorker worker, Plan plan, SeededRandom chance) {
        this.simulation = simulation;
        this.worker = worker;
        this.plan = plan;
        this.chance = chance;
        this.percent = chance.oneOf(0, 0, 3, 10, 30, 100);
    }

    boolean isOn() {
        return regroup != null;
    }

    /** A moment at which a change may begin or go on. */
    void act() {
        if (isOn()) {
            goOn();
        } else if (chance.percent(percent)) {
            begin();
        }
    }

    private void begin() {
        Map<String, Integer> counts = new HashMap<>();
        for (ComponentPlan component : plan.components()) {
            if (chance.percent(50)) {
                counts.put(component.id(), chance.between(1, component.taskIds().length));
            }
        }
        changed = new HashSet<>(counts.keySet());
        changed.removeIf(id -> plan.component(id).executors().length == counts.get(id));
        if (changed.isEmpty()) {
            return;
        }
        simulation.trace().remark(() -> "rebalance " + counts);
        next = Planner.replan(plan, counts);
        regroup = new ExecutorRebalance(worker.assembly(), next, changed);
        timeout = chance.oneOf(2, 20, 100, 1000);
        looks = 0;
        wanted = false;
    }

    /** One step of a change. */
    void goOn() {
        boolean late = looks++ > timeout;
        if (wanted && worker.host().allLoopsStand()) {
            wanted = false;
            if (stand(late)) {
                plan = next;
                end(SimEvent.REBALANCED);
            }
        } else {
            wanted |= regroup.prepare(late);
        }
        if (isOn() && (looks > 2 * timeout + 50 && mayTakeForEver() || regroup.isEnding())) {
            end(SimEvent.REBALANCE_GIVEN_UP);
        }
    }

    /** Whether it need not come to an end: a spout may emit anew what has failed, and then nobody may ack it. */
    private boolean mayTakeForEver() {
        return !simulation.isCalm()
                || regroup.hasFailedOpen() && simulation.model().arePending(tasks());
    }

    private boolean stand(boolean late) {
        boolean failedBefore = regroup.hasFailedOpen();
        boolean done = simulation.undisturbed(() -> regroup.changeIfReady(late));
        if (regroup.hasFailedOpen() && !failedBefore) {
            simulation.count(SimEvent.FAILED_OPEN);
            simulation.model().failedOpen(tasks());
        }
        return done;
    }

    private List<Integer> tasks() {
        return plan.components().stream()
                .filter(component -> changed.contains(component.id()))
                .flatMapToInt(component -> Arrays.stream(component.taskIds()))
                .boxed()
                .toList();
    }

    private void end(SimEvent how) {
        simulation.trace().note(how.name(), looks, 0);
        simulation.count(how);
        regroup.release();
        regroup = null;
    }
}
