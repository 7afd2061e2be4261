package io.updraft.engine.emit;

import io.updraft.engine.count.InputCounts;
import io.updraft.engine.count.OutputCounts;
import io.updraft.engine.plan.ComponentPlan;
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
        Outbox outbox,
        EdgeIds edges,
        OutputCounts outputs,
        InputCounts inputs,
        UserThreadAccess outside) {

    /** Reports an error that a component has passed to its collector. */
    void reportError(int task, Throwable error) {
        shared.errors().report(component.id(), task, "reportError", error, "reported by the component itself");
    }
}
