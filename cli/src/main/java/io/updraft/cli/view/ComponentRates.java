package io.updraft.cli.view;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.LatencySummary;

/**
 * The rates of one component over one interval.
 *
 * @param now the component's state at the end of the interval
 * @param emitted tuples emitted per second
 * @param executed tuples executed per second
 * @param acked acks per second
 * @param failed failures per second, including timeouts
 * @param capacity share of time that the component's executors run user code; 1 if all of them do nothing else
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

    LatencySummary execute() {
        return now.executeLatency();
    }

    LatencySummary complete() {
        return now.completeLatency();
    }

    /** {@return the tuples queued for a bolt, or the tuple trees in flight of a spout} */
    long waiting() {
        return now.spout() ? now.inFlight() : now.queued();
    }
}
