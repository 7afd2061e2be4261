package io.updraft.cli.view;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.ExecutorSnapshot;
import io.updraft.engine.metrics.HotKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Formats hot keys. One object chooses those of one topology that a log should repeat: each when it first appears, and then at
 * most once a minute.
 */
final class HotKeyLines {
    private static final long AGAIN_NANOS = 60_000_000_000L;

    /** By key: the uptime of the topology when it was last reported, nanoseconds. */
    private final Map<String, Long> reported = new HashMap<>();

    /** {@return the lines to print now} */
    List<String> due(TopologySample sample) {
        long now = sample.now().uptimeNanos();
        reported.values().removeIf(last -> now - last >= AGAIN_NANOS);
        List<String> lines = new ArrayList<>();
        for (HotKey key : sample.now().hotKeys()) {
            String id = String.join("\n", key.from(), key.stream(), key.to(), key.key());
            if (reported.putIfAbsent(id, now) == null) {
                lines.add(of(key, sample));
            }
        }
        return lines;
    }

    /** {@return a line for each hot key} */
    static List<String> of(TopologySample sample) {
        return sample.now().hotKeys().stream().map(key -> of(key, sample)).toList();
    }

    private static String of(HotKey key, TopologySample sample) {
        String stream = key.stream().equals("default") ? "" : " (" + key.stream() + ")";
        return "hot key: " + QuantityFormat.percent(key.permille() / 1000.0) + " of " + key.from() + "'s tuples for "
                + key.to() + stream + " have " + key.fields() + " = " + key.key()
                + busy(key, sample).map(busy -> "; " + busy).orElse("");
    }

    /** Says how busy the task is that gets the key, and the other tasks on average. */
    private static Optional<String> busy(HotKey key, TopologySample sample) {
        Map<Integer, Double> busy = busyByExecutor(key.to(), sample);
        // An executor that a rebalance has replaced keeps its entry, but is not busy any more.
        Optional<Integer> own = busy.keySet().stream()
                .filter(first -> first <= key.task() && busy.get(first) > 0)
                .max(Comparator.naturalOrder());
        int others = executors(key.to(), sample.now()) - 1;
        return own.map(first -> {
            double all = busy.values().stream().mapToDouble(share -> share).sum();
            return "task " + key.task() + " (" + (key.position() + 1) + " of " + key.tasks() + ") is "
                    + QuantityFormat.percent(busy.get(first)) + " busy"
                    + (others > 0 ? ", the others " + QuantityFormat.percent((all - busy.get(first)) / others) : "");
        });
    }

    /** Returns the share of time in user code by the first task of each executor. */
    private static Map<Integer, Double> busyByExecutor(String component, TopologySample sample) {
        Map<Integer, Double> busy = new TreeMap<>();
        add(busy, component, sample.now(), 1);
        if (sample.before() != null) {
            add(busy, component, sample.before(), -1);
        }
        busy.replaceAll((first, nanos) -> Math.max(0, Math.min(1, nanos / (sample.seconds() * 1e9))));
        return busy;
    }

    private static void add(Map<Integer, Double> busy, String component, EngineSnapshot snapshot, double factor) {
        snapshot.components().stream()
                .filter(each -> each.id().equals(component))
                .flatMap(each -> each.byExecutor().stream())
                .forEach((ExecutorSnapshot executor) ->
                        busy.merge(executor.firstTask(), factor * executor.busyNanos(), Double::sum));
    }

    private static int executors(String component, EngineSnapshot snapshot) {
        return snapshot.components().stream()
                .filter(each -> each.id().equals(component))
                .mapToInt(ComponentSnapshot::executors)
                .sum();
    }
}
