package io.updraft.observe.advice;

import io.updraft.base.conf.ConfReader;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.HotKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.storm.Config;

/**
 * The load of one topology over the last seconds. Begins anew when the topology has changed: after a rebalance, after the restart
 * of a worker, and while it is inactive.
 *
 * <p>Not safe for use by several threads at once.
 */
public final class LoadWindow {
    private final long spanNanos;
    private final int cores;
    private final Deque<Reading> readings = new ArrayDeque<>();

    private record Reading(EngineSnapshot snapshot, long cpuNanos) {}

    /**
     * Creates a window.
     *
     * @param span the time over which the load is averaged
     * @param cores number of cores of the machine
     */
    public LoadWindow(Duration span, int cores) {
        this.spanNanos = span.toNanos();
        this.cores = cores;
    }

    /**
     * Adds a sample.
     *
     * @param snapshot the topology's state
     * @param cpuNanos the CPU time so far of the processes that run it, nanoseconds; less than before if a process is new
     */
    public void add(EngineSnapshot snapshot, long cpuNanos) {
        Reading newest = readings.peekLast();
        if (!snapshot.active()
                || newest != null
                        && (cpuNanos < newest.cpuNanos
                                || !executors(snapshot).equals(executors(newest.snapshot))
                                || snapshot.loopBusyNanos().length != newest.snapshot.loopBusyNanos().length)) {
            readings.clear();
        }
        if (snapshot.active()) {
            readings.addLast(new Reading(snapshot, cpuNanos));
        }
        while (readings.size() > 2 && age(second()) >= spanNanos) {
            readings.removeFirst();
        }
    }

    private Reading second() {
        return readings.stream().skip(1).findFirst().orElseThrow();
    }

    private long age(Reading reading) {
        return readings.getLast().snapshot.uptimeNanos() - reading.snapshot.uptimeNanos();
    }

    private static Map<String, Integer> executors(EngineSnapshot snapshot) {
        return snapshot.components().stream()
                .collect(Collectors.toMap(ComponentSnapshot::id, ComponentSnapshot::executors));
    }

    /**
     * {@return advice from the load over the span; empty until there are samples over most of the span}
     *
     * @param plan the plan that the topology runs
     * @param hotKeys the keys that overload a task
     */
    public Optional<Advice> advice(Plan plan, List<HotKey> hotKeys) {
        if (readings.size() < 2 || age(readings.getFirst()) < spanNanos * 3 / 4) {
            return Optional.empty();
        }
        return Optional.of(Advice.of(load(plan, hotKeys)));
    }

    private TopologyLoad load(Plan plan, List<HotKey> hotKeys) {
        EngineSnapshot before = readings.getFirst().snapshot;
        EngineSnapshot now = readings.getLast().snapshot;
        double seconds = age(readings.getFirst()) / 1e9;
        List<ComponentLoad> components = now.components().stream()
                .map(component -> component(component, before, hotKeys, seconds))
                .toList();
        double[] loops = now.loopBusySince(before);
        return new TopologyLoad(
                seconds,
                components,
                TopologyLoad.targets(now),
                Math.max(1, loops.length),
                Arrays.stream(loops).max().orElse(0),
                Math.max(0, Arrays.stream(loops).sum() - TopologyLoad.attached(components)),
                cores,
                (readings.getLast().cpuNanos - readings.getFirst().cpuNanos) / (seconds * 1e9),
                readings.stream()
                        .mapToLong(reading -> reading.snapshot.inFlightTrees())
                        .average()
                        .orElse(0),
                heldBack(),
                maxPending(plan));
    }

    private ComponentLoad component(
            ComponentSnapshot component, EngineSnapshot earlier, List<HotKey> hotKeys, double seconds) {
        ComponentSnapshot before = earlier.components().stream()
                .filter(each -> each.id().equals(component.id()))
                .findFirst()
                .orElseThrow();
        Map<Integer, Long> busyBefore = before.byExecutor().stream()
                .collect(Collectors.toMap(ExecutorSnapshot::firstTask, ExecutorSnapshot::busyNanos));
        double busiest = component.byExecutor().stream()
                .mapToLong(executor -> executor.busyNanos() - busyBefore.getOrDefault(executor.firstTask(), 0L))
                .max()
                .orElse(0);
        long calls =
                component.spout() ? component.emitted() - before.emitted() : component.executed() - before.executed();
        Optional<HotKey> hot = hotKeys.stream()
                .filter(key -> key.to().equals(component.id()))
                .max(Comparator.comparingLong(HotKey::permille));
        return new ComponentLoad(
                component.id(),
                component.spout(),
                component.tasks(),
                Math.max(1, component.executors()),
                readings.stream().allMatch(reading -> hasOwnThreads(component.id(), reading.snapshot)),
                (component.busyNanos() - before.busyNanos()) / (seconds * 1e9),
                busiest / (seconds * 1e9),
                Math.max(0, component.waitNanos() - before.waitNanos()) / (seconds * 1e9),
                calls / seconds,
                hot.map(key -> key.permille() / 1e3).orElse(0.0),
                hot.map(key -> key.fields() + " = " + key.key()).orElse(""));
    }

    private double heldBack() {
        return readings.stream()
                .mapToInt(reading -> reading.snapshot.components().stream()
                                .anyMatch(component -> component.spout() && component.throttled())
                        ? 1
                        : 0)
                .average()
                .orElse(0);
    }

    private static boolean hasOwnThreads(String component, EngineSnapshot snapshot) {
        return snapshot.components().stream()
                .anyMatch(each -> each.id().equals(component) && 2 * each.ownThreads() > each.executors());
    }

    /** Returns the largest number of tuple trees in flight; 0 if a spout has no limit. */
    private static long maxPending(Plan plan) {
        List<Long> limits = plan.components().stream()
                .filter(ComponentPlan::spout)
                .map(spout -> (long) new ConfReader(spout.conf()).integer(Config.TOPOLOGY_MAX_SPOUT_PENDING, 0, 0)
                        * spout.taskIds().length)
                .toList();
        return limits.contains(0L)
                ? 0
                : limits.stream().mapToLong(limit -> limit).sum();
    }
}
