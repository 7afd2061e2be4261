package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;

/**
 * What waits in a component now, and what went wrong in it since its start. Only an engine knows it.
 *
 * @param waiting the tuples queued for a bolt, or the tuple trees in flight of a spout
 * @param backPressured whether the component holds back those before it
 * @param throttled whether the component is held back
 * @param ownThreads the number of executors on threads of their own, since their calls block
 * @param timedOut trees that timed out
 * @param deadLettered messages that were given up
 * @param errors exceptions of user code
 * @param restarts how often an executor was built anew
 */
public record LoadView(
        long waiting,
        boolean backPressured,
        boolean throttled,
        long ownThreads,
        long timedOut,
        long deadLettered,
        long errors,
        long restarts) {
    static LoadView of(TopologySample.ComponentRates rates) {
        ComponentSnapshot now = rates.now();
        return new LoadView(
                rates.waiting(),
                now.backPressured(),
                now.throttled(),
                now.ownThreads(),
                now.timedOut(),
                now.deadLettered(),
                now.errors(),
                now.restarts());
    }
}
