package io.updraft.cli.view;

import io.updraft.cli.advice.Advice;
import io.updraft.cluster.coordinator.WorkerStatus;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.LatencySummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of one topology over one interval, for the views.
 *
 * @param name the topology's name
 * @param state the topology's state, in a word: running, draining, inactive, dead
 * @param before the snapshot at the beginning of the interval; null if the interval begins with the topology
 * @param now the snapshot at the end of the interval
 * @param workers the worker processes of the topology; empty if the topology runs in this process
 * @param advice what limits the topology, from the last seconds; null if it has not run long enough
 */
public record TopologySample(
        String name,
        String state,
        EngineSnapshot before,
        EngineSnapshot now,
        List<WorkerStatus> workers,
        Advice advice) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Describes an interval without advice. */
    public TopologySample(
            String name, String state, EngineSnapshot before, EngineSnapshot now, List<WorkerStatus> workers) {
        this(name, state, before, now, workers, null);
    }

    /** {@return the rates of the components, spouts first, then along the streams} */
    List<ComponentRates> components() {
        Map<String, ComponentSnapshot> old = new HashMap<>();
        if (before != null) {
            before.components().forEach(component -> old.put(component.id(), component));
        }
        return FlowOrder.of(now).stream()
                .map(component -> ComponentRates.between(old.get(component.id()), component, seconds()))
                .toList();
    }

    /** {@return the length of the interval in seconds, never zero} */
    double seconds() {
        long start = before == null ? 0 : before.uptimeNanos();
        return Math.max(1, now.uptimeNanos() - start) / NANOS_PER_SECOND;
    }

    /** {@return the busy share of each event loop, from 0 to 1} */
    double[] loopBusy() {
        double[] busy = new double[now.loopBusyNanos().length];
        for (int loop = 0; loop < busy.length; loop++) {
            boolean known = before != null && loop < before.loopBusyNanos().length;
            long old = known ? before.loopBusyNanos()[loop] : 0;
            long all = now.loopBusyNanos()[loop];
            // The counters of a restarted worker begin at zero.
            busy[loop] = (old > all ? all : all - old) / (seconds() * NANOS_PER_SECOND);
        }
        return busy;
    }

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
}
