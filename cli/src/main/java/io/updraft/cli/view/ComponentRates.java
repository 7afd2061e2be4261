package io.updraft.cli.view;

import io.updraft.engine.metrics.ComponentSnapshot;

/**
 * One component over one interval.
 *
 * @param now its state at the end of the interval
 * @param emitted per second
 * @param executed per second
 * @param acked per second
 * @param failed per second, those that timed out included
 * @param capacity busy share of its executors: 1 when all of them did nothing but run user code
 */
record ComponentRates(
        ComponentSnapshot now, double emitted, double executed, double acked, double failed, double capacity) {

    static ComponentRates between(ComponentSnapshot old, ComponentSnapshot now, double seconds) {
        double busyNanos = old == null ? now.busyNanos() : now.busyNanos() - old.busyNanos();
        return new ComponentRates(
                now,
                (now.emitted() - (old == null ? 0 : old.emitted())) / seconds,
                (now.executed() - (old == null ? 0 : old.executed())) / seconds,
                (now.acked() - (old == null ? 0 : old.acked())) / seconds,
                (now.failed() - (old == null ? 0 : old.failed())) / seconds,
                busyNanos / (seconds * 1e9 * Math.max(1, now.executors())));
    }

    String id() {
        return now.id();
    }
}
