package io.updraft.observe.view;

import io.updraft.engine.snapshot.HotKey;
import io.updraft.observe.view.TopologySample.ComponentRates;
import io.updraft.observe.view.TopologySample.ExecutorRates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Formats hot keys. One object chooses those of one topology that a log should repeat: each when it first appears, and then at
 * most once a minute.
 */
public final class HotKeyLines {
    private static final long AGAIN_NANOS = 60_000_000_000L;

    /** By key: the uptime of the topology when it was last reported, nanoseconds. */
    private final Map<String, Long> reported = new HashMap<>();

    /** {@return the lines to print now} */
    public List<String> due(TopologySample sample) {
        long now = sample.now().uptimeNanos();
        reported.values().removeIf(last -> now - last >= AGAIN_NANOS);
        List<String> lines = new ArrayList<>();
        for (HotKey key : sample.hotKeys()) {
            if (reported.putIfAbsent(key.name(), now) == null) {
                lines.add(of(key, sample));
            }
        }
        return lines;
    }

    /** {@return a line for each hot key} */
    public static List<String> of(TopologySample sample) {
        return of(sample, key -> true);
    }

    /** {@return a line for each hot key that is chosen} */
    public static List<String> of(TopologySample sample, Predicate<HotKey> chosen) {
        return sample.hotKeys().stream()
                .filter(chosen)
                .map(key -> of(key, sample))
                .toList();
    }

    private static String of(HotKey key, TopologySample sample) {
        return Remark.Kind.HOT_KEY.label() + ": " + describe(key, sample);
    }

    /** {@return the key, its share, and how busy the tasks are} */
    static String describe(HotKey key, TopologySample sample) {
        return key.describe() + busy(key, sample).map(busy -> "; " + busy).orElse("");
    }

    /** Says how busy the task is that gets the key, and the other tasks on average. */
    private static Optional<String> busy(HotKey key, TopologySample sample) {
        return sample.components().stream()
                .filter(component -> component.id().equals(key.to()))
                .findFirst()
                .flatMap(component -> busy(key, component));
    }

    private static Optional<String> busy(HotKey key, ComponentRates component) {
        List<ExecutorRates> executors = component.executors();
        // An executor that a rebalance has replaced keeps its entry, but is not busy any more.
        Optional<ExecutorRates> owner = executors.stream()
                .filter(each -> each.now().firstTask() <= key.task() && each.busy() > 0)
                .max(Comparator.comparing(each -> each.now().firstTask()));
        int otherExecutors = component.now().executors() - 1;
        return owner.map(executor -> {
            double all = executors.stream().mapToDouble(ExecutorRates::busy).sum();
            return "task " + key.task() + " (" + (key.position() + 1) + " of " + key.tasks() + ") is "
                    + QuantityFormat.percent(executor.busy()) + " busy"
                    + (otherExecutors > 0
                            ? ", the others " + QuantityFormat.percent((all - executor.busy()) / otherExecutors)
                            : "");
        });
    }
}
