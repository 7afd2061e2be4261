package io.updraft.engine.loop;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.tuple.EdgeIds;

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
record EmitContext(
        Shared shared,
        ComponentPlan component,
        int index,
        boolean sole,
        Detour turn,
        Outbox outbox,
        EdgeIds edges,
        OutCounts outputs,
        InCounts inputs,
        OutsideAccess outside) {

    /** Reports an error that a component has passed to its collector. */
    void reportError(int task, Throwable error) {
        shared.errors().report(component.id(), task, "reportError", error, "reported by the component itself");
    }
}
