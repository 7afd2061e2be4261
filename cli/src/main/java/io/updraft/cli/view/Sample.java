package io.updraft.cli.view;

import io.updraft.cluster.local.WorkerStatus;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One topology over one interval: what the views draw.
 *
 * @param name the topology's name
 * @param state what it is doing, in a word: running, draining...
 * @param before the state at the beginning of the interval, null when it is the start
 * @param now the state at its end
 * @param workers the worker processes in which it runs; empty if it runs in this one
 */
public record Sample(String name, String state, EngineSnapshot before, EngineSnapshot now, List<WorkerStatus> workers) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * A topology without workers.
     *
     * @param name the topology's name
     * @param state what it is doing, in a word
     * @param before the state at the beginning of the interval, null when it is the start
     * @param now the state at its end
     */
    public Sample(String name, String state, EngineSnapshot before, EngineSnapshot now) {
        this(name, state, before, now, List.of());
    }

    /** {@return the components over the interval, spouts first and then along the streams} */
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

    /** {@return how busy each event loop was, as a share of one core} */
    double[] loopBusy() {
        double[] busy = new double[now.loopBusyNanos().length];
        for (int loop = 0; loop < busy.length; loop++) {
            boolean known = before != null && loop < before.loopBusyNanos().length;
            long old = known ? before.loopBusyNanos()[loop] : 0;
            long all = now.loopBusyNanos()[loop];
            // Other workers have other loops, which begin at zero.
            busy[loop] = (old > all ? all : all - old) / (seconds() * NANOS_PER_SECOND);
        }
        return busy;
    }
}
