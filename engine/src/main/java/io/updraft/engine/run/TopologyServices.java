package io.updraft.engine.run;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.failure.KeptDeadLetters;
import io.updraft.engine.grouping.KeySamplers;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EdgeOrigins;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * The objects that all executors and loops of one topology share. Everything here may be used from any thread.
 *
 * @param plan the plan that the engine runs
 * @param settings the parsed configuration
 * @param contexts creates task contexts
 * @param clock the source of time
 * @param seed the seed of every random choice
 * @param pressure the back-pressure by region
 * @param lifecycle the state: active, stopping, dead
 * @param errors the log of failures
 * @param overload the load and the placement of tasks
 * @param deadLetters receives messages that failed too often, on the thread of the spout
 * @param kept the newest dead letters, to be replayed
 * @param keys the samplers of the keys of fields groupings
 * @param moves the moves of executors
 * @param origins finds the component that created an edge
 * @param self the number and incarnation of this worker
 */
record TopologyServices(
        Plan plan,
        EngineSettings settings,
        ContextFactory contexts,
        EngineClock clock,
        long seed,
        BackPressure pressure,
        TopologyLifecycle lifecycle,
        ErrorLog errors,
        TaskOverload overload,
        Consumer<DeadLetter> deadLetters,
        KeptDeadLetters kept,
        KeySamplers keys,
        MoveLog moves,
        EdgeOrigins origins,
        WorkerOptions self) {

    /**
     * Bits of the roots of one incarnation: a spout executor that emits a million messages a second uses them up in 100 days.
     */
    private static final int ROOT_BITS = 43;

    /** Added to the seed of what threads of the user's own use. */
    public static final int OUTSIDE_SEED = 0x5EED;

    /** Incarnations of another worker whose edges are found. A worker that has been restarted more often is unknown. */
    private static final int INCARNATIONS = 64;

    private static final long ODD = 0xD1B54A32D192ED03L;

    /**
     * Returns the root of the first tree of each spout executor of this process. No earlier process has used this or a later
     * root.
     */
    public long firstRoot() {
        return ((long) self.incarnation() << ROOT_BITS) + 1;
    }

    /**
     * Returns the seeds of the edges of an executor of this worker: for the thread that runs it, and for threads of the user's
     * own. They differ between incarnations, because edges of the replaced process may be in trees that are still in flight.
     */
    public long[] edgeSeeds(int executor) {
        return edgeSeeds(seed, self.incarnation(), executor);
    }

    /**
     * Returns all seeds that the edges of an executor of another worker may have. The seeds of two workers differ by the
     * difference of their numbers.
     */
    public long[] edgeSeeds(int worker, int executor) {
        long other = seed - self.worker() + worker;
        return LongStream.rangeClosed(0, INCARNATIONS)
                .flatMap(incarnation -> LongStream.of(edgeSeeds(other, incarnation, executor)))
                .toArray();
    }

    private static long[] edgeSeeds(long seed, long incarnation, int executor) {
        long own = seed + incarnation * ODD;
        return new long[] {EdgeIds.seedFor(own, executor), EdgeIds.seedFor(own + OUTSIDE_SEED, executor)};
    }

    public boolean isOwn(int task) {
        return plan.workerOf(task) == self.worker();
    }
}
