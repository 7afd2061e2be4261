package io.updraft.engine.loop;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Settings;

/**
 * What all executors and loops of one topology share. Everything here may be used from any thread.
 *
 * @param plan what is run
 * @param settings how
 * @param contexts makes task contexts
 * @param clock the source of time
 * @param seed the seed of every random choice
 * @param pressure who is congested
 * @param lifecycle active, stopping, dead
 * @param errors what went wrong
 * @param overload per task, whether much is queued for it
 * @param deadLetters takes messages that were given up
 * @param self which worker this is
 */
record Shared(
        Plan plan,
        Settings settings,
        ContextFactory contexts,
        EngineClock clock,
        long seed,
        Pressure pressure,
        Lifecycle lifecycle,
        ErrorLog errors,
        Overload overload,
        DeadLetters deadLetters,
        WorkerOptions self) {

    /** An incarnation has the roots of so many bits: a spout executor that emits a million a second uses them up in 100 days. */
    private static final int ROOT_BITS = 43;

    /** Makes the seeds of incarnations unlike each other. */
    private static final long ODD = 0xD1B54A32D192ED03L;

    /** The root of the first tree of each spout executor of this process; none before it had this or a later one. */
    long firstRoot() {
        return ((long) self.incarnation() << ROOT_BITS) + 1;
    }

    /** The seed of edges: the process that this one replaces may have made edges in trees that are still in flight. */
    long edgeSeed() {
        return seed + self.incarnation() * ODD;
    }

    /** Whether a task is run by this worker. */
    boolean isOwn(int task) {
        return plan.workerOf(task) == self.worker();
    }
}
