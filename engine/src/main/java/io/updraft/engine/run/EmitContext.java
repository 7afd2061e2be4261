package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.tuple.EdgeIds;
import org.apache.storm.task.TopologyContext;

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
 * @param downstream the regions to which the executor sends
 * @param loop the way to the threads that run the executor
 * @param lock held while a user thread emits, and while the executor moves to another loop
 * @param outsideEdges edge ids for emits of user threads, shared by all instances, because no id may occur twice. Guarded by
 *     the lock
 */
record EmitContext(
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
        int[] downstream,
        LoopConnection loop,
        Object lock,
        EdgeIds outsideEdges) {

    public static EmitContext of(
            TopologyServices shared,
            ExecutorPlan plan,
            TurnThread turn,
            ExecutorCounters counters,
            Outbox outbox,
            LoopConnection loop) {
        ComponentPlan component = shared.plan().components().get(plan.componentIndex());
        int tasks = plan.taskIds().length;
        long[] edgeSeeds = shared.edgeSeeds(plan.index());
        shared.origins().add(component.id(), edgeSeeds);
        return new EmitContext(
                shared,
                component,
                plan.index(),
                tasks == 1,
                turn,
                counters,
                outbox,
                new EdgeIds(edgeSeeds[0]),
                new OutputCounts(component, tasks, outbox, counters),
                component.spout() ? null : new InputCounts(shared.plan(), component, counters),
                shared.pressure().regions().downstreamOf(component.index()),
                loop,
                new Object(),
                new EdgeIds(edgeSeeds[1]));
    }

    OutStreams outsideStreams(int task, TopologyContext context) {
        return new OutStreams(
                shared,
                component,
                task,
                context,
                true,
                EdgeIds.seedFor(shared.seed() + TopologyServices.OUTSIDE_SEED, task));
    }

    /** Blocks a user thread while the executor itself would be held back. Never blocks a thread of the engine. */
    void awaitCapacity() {
        while ((loop.home().isMailboxFull() || shared.pressure().holdsBack(downstream))
                && !(Thread.currentThread() instanceof EngineThread)
                && !shared.lifecycle().isStopping()) {
            loop.pause();
        }
    }

    void reportError(int task, Throwable error) {
        shared.errors().reportOwn(component.id(), task, error);
    }
}
