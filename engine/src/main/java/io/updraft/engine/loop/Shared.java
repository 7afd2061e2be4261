package io.updraft.engine.loop;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineClock;
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
        DeadLetters deadLetters) {}
