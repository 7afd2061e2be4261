package io.updraft.engine.emit;

import io.updraft.engine.count.ExecutorCounters;
import io.updraft.engine.count.InputCounts;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.state.TopologyServices;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.turn.TurnThread;

/**
 * What the collectors of the tasks of one executor use.
 *
 * @param shared the objects shared by all executors
 * @param component the component
 * @param index the number of the executor
 * @param sole whether the executor has a single task
 * @param turn the thread in the turn
 * @param counters the published counters
 * @param outbox receives the output
 * @param edges the edge ids for the thread in the turn
 * @param outputs the counters by output stream
 * @param inputs the counters by input stream; null for a spout
 * @param outside what the user's own threads use
 */
public record EmitContext(
        TopologyServices shared,
        ComponentPlan component,
        int index,
        boolean sole,
        TurnThread turn,
        ExecutorCounters counters,
        Outbox outbox,
        EdgeIds edges,
        OutputCounts outputs,
        InputCounts inputs,
        UserThreadAccess outside) {

    public static EmitContext of(
            TopologyServices shared,
            ExecutorPlan plan,
            TurnThread turn,
            ExecutorCounters counters,
            Outbox outbox,
            LoopAccess loop) {
        ComponentPlan component = shared.plan().components().get(plan.componentIndex());
        int tasks = plan.taskIds().length;
        return new EmitContext(
                shared,
                component,
                plan.index(),
                tasks == 1,
                turn,
                counters,
                outbox,
                new EdgeIds(EdgeIds.seedFor(shared.edgeSeed(), plan.index())),
                new OutputCounts(component, tasks, outbox, counters),
                component.spout() ? null : new InputCounts(shared.plan(), component, counters),
                new UserThreadAccess(shared, plan, loop));
    }

    /** Reports an error that a component has passed to its collector. */
    void reportError(int task, Throwable error) {
        shared.errors().report(component.id(), task, "reportError", error, "reported by the component itself");
    }
}
