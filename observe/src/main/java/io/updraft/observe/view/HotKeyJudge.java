package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.KeyedStream;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Judges which keys overload their tasks. A key is hot if, over the last three seconds,
 *
 * <ul>
 *   <li>it was skewed: see {@link KeyedStream#skewedKeys};
 *   <li>the executor of its task was at least 85% busy, or half as busy with a long queue;
 *   <li>that was at least one and a half times as much as the average of the component's other executors;
 *   <li>the key makes at least half of that difference.
 * </ul>
 *
 * <p>A snapshot of one worker of several lacks the executors of the others. There the queue of the task must be long, and those of
 * most other tasks must not: the workers tell each other about long queues.
 *
 * <p>A key stays hot under weaker conditions, until these have not held for three seconds. Used by one thread.
 */
public final class HotKeyJudge {
    /** Three samples of a second, with a margin for late ones. */
    private static final long WINDOW_NANOS = 2_900_000_000L;

    private static final long SHORTEST_INTERVAL_NANOS = 250_000_000L;
    private static final Conditions TO_BECOME_HOT = new Conditions(0.85, 1.5);
    private static final Conditions TO_STAY_HOT = new Conditions(0.6, 1.2);

    private final Deque<EngineSnapshot> window = new ArrayDeque<>();

    /** By the name of a hot key: the uptime when its conditions were last met, nanoseconds. */
    private final Map<String, Long> lastMet = new HashMap<>();

    private List<HotKey> hot = List.of();

    private record Conditions(double busy, double ratio) {}

    /**
     * The load of a component's executors over the window.
     *
     * @param own the busy share of the key's executor
     * @param others the average busy share of the others
     * @param executedPerHour the tuples that the key's executor executes
     */
    private record Load(double own, double others, double executedPerHour) {}

    /** A key with the load of its task; no load in a snapshot that lacks executors. */
    private record Candidate(HotKey key, Optional<Load> load) {
        /** A step of ten percent, so that equally busy tasks do not change places. */
        long busyTenths() {
            return Math.round(load.map(Load::own).orElse(1.0) * 10);
        }
    }

    /**
     * {@return the hot keys, those of the busiest tasks first, and of these the heaviest}
     *
     * @param now the state of the topology, newer than those of earlier calls
     */
    public List<HotKey> judge(EngineSnapshot now) {
        EngineSnapshot newest = window.peekLast();
        if (newest != null && now.uptimeNanos() < newest.uptimeNanos()) {
            window.clear();
            lastMet.clear();
            hot = List.of();
        } else if (newest != null && now.uptimeNanos() - newest.uptimeNanos() < SHORTEST_INTERVAL_NANOS) {
            return hot;
        }
        window.addLast(now);
        while (window.size() > 2 && now.uptimeNanos() - second().uptimeNanos() >= WINDOW_NANOS) {
            window.removeFirst();
        }
        lastMet.values().removeIf(time -> now.uptimeNanos() - time > WINDOW_NANOS);
        if (now.uptimeNanos() - window.getFirst().uptimeNanos() >= WINDOW_NANOS) {
            hot = hotKeys(now);
        }
        return hot;
    }

    private EngineSnapshot second() {
        return window.stream().skip(1).findFirst().orElseThrow();
    }

    private List<HotKey> hotKeys(EngineSnapshot now) {
        return now.skewedKeys().stream()
                .map(key -> new Candidate(key, load(key, now)))
                .filter(this::isHot)
                .sorted(Comparator.comparing(Candidate::busyTenths)
                        .thenComparing(each -> each.key().permille())
                        .reversed())
                .map(Candidate::key)
                .toList();
    }

    private boolean isHot(Candidate candidate) {
        HotKey key = candidate.key();
        boolean wasHot = lastMet.containsKey(key.name());
        Conditions conditions = wasHot ? TO_STAY_HOT : TO_BECOME_HOT;
        boolean overloads =
                candidate.load().map(load -> overloads(key, load, conditions)).orElseGet(() -> isLongestQueue(key));
        if (overloads && (wasHot || wasAlwaysSkewed(key))) {
            lastMet.put(key.name(), window.getLast().uptimeNanos());
        }
        return lastMet.containsKey(key.name());
    }

    private boolean overloads(HotKey key, Load load, Conditions conditions) {
        double needed = hasLongQueue(key, key.task()) ? conditions.busy() / 2 : conditions.busy();
        return load.own() >= needed
                && load.own() >= conditions.ratio() * load.others()
                && load.own() * share(key, load) >= (load.own() - load.others()) / 2;
    }

    /** Returns the share of the key in the tuples that the executor of its task executes. */
    private double share(HotKey key, Load load) {
        KeyedStream stream = streamOf(key, window.getLast());
        double perHour = stream.tuplesPerHour()[key.position()];
        double ofExecutor = load.executedPerHour() > 0 ? Math.min(1, perHour / load.executedPerHour()) : 1;
        return ofExecutor * key.permille() / Math.max(1, key.taskPermille());
    }

    private boolean wasAlwaysSkewed(HotKey key) {
        return window.stream()
                .allMatch(snapshot -> snapshot.skewedKeys().stream()
                        .anyMatch(each -> each.name().equals(key.name())));
    }

    private boolean isLongestQueue(HotKey key) {
        KeyedStream stream = streamOf(key, window.getLast());
        long longQueues = stream.overloadedTasks().stream()
                .filter(task -> hasLongQueue(key, task))
                .count();
        return hasLongQueue(key, key.task()) && 2 * (longQueues - 1) < key.tasks() - 1;
    }

    /** Returns whether a task's queue was long in at least half of the window's snapshots. */
    private boolean hasLongQueue(HotKey key, int task) {
        long times = window.stream()
                .map(snapshot -> streamOf(key, snapshot))
                .filter(stream -> stream != null && stream.overloadedTasks().contains(task))
                .count();
        return 2 * times >= window.size();
    }

    private static KeyedStream streamOf(HotKey key, EngineSnapshot snapshot) {
        return snapshot.keyed().stream()
                .filter(stream -> stream.from().equals(key.from())
                        && stream.stream().equals(key.stream())
                        && stream.to().equals(key.to()))
                .findFirst()
                .orElse(null);
    }

    private Optional<Load> load(HotKey key, EngineSnapshot now) {
        EngineSnapshot before = window.getFirst();
        return component(key, now)
                .filter(component -> component.tasks() >= key.tasks())
                .flatMap(component -> component(key, before)
                        .flatMap(earlier -> load(key, component, earlier, now.uptimeNanos() - before.uptimeNanos())));
    }

    private static Optional<ComponentSnapshot> component(HotKey key, EngineSnapshot snapshot) {
        return snapshot.components().stream()
                .filter(each -> each.id().equals(key.to()))
                .findFirst();
    }

    private static Optional<Load> load(HotKey key, ComponentSnapshot now, ComponentSnapshot before, long nanos) {
        Map<Integer, ExecutorSnapshot> earlier = new HashMap<>();
        before.byExecutor().forEach(executor -> earlier.put(executor.firstTask(), executor));
        double all = 0;
        Load own = null;
        for (ExecutorSnapshot executor : now.byExecutor()) {
            ExecutorSnapshot old = earlier.get(executor.firstTask());
            double busy = old == null ? 0 : Math.max(0, executor.busyNanos() - old.busyNanos()) / (double) nanos;
            all += busy;
            // An executor that a rebalance has replaced keeps its entry, but is not busy any more.
            if (executor.firstTask() <= key.task() && busy > 0 && old != null) {
                own = new Load(busy, 0, Math.max(0, executor.executed() - old.executed()) * 3600e9 / nanos);
            }
        }
        if (own == null) {
            return Optional.of(new Load(0, 0, 0));
        }
        return Optional.of(
                new Load(own.own(), (all - own.own()) / Math.max(1, now.executors() - 1), own.executedPerHour()));
    }
}
