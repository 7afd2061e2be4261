package io.updraft.observe.history;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.WorkerStatus;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Adds the snapshots of one topology to its history, about one a second. Snapshots that follow sooner are merged into the next
 * sample. One thread at a time.
 */
public final class TopologyRecorder {
    private static final long SHORTEST_NANOS = 900_000_000L;

    private final Histories histories;
    private final History history;
    private final ProcessRecorder process = new ProcessRecorder(JvmUsage.now());
    private final WorkersRecorder workers = new WorkersRecorder();

    /** The components at the start of the sample in progress. */
    private final Map<String, ComponentSnapshot> before = new HashMap<>();

    /** The largest values of the sample in progress: only these are lost between two snapshots. */
    private final Map<HistorySeries, double[]> largest = new HashMap<>();

    /** The snapshot at the start of the sample in progress; null at the start of the topology. */
    private EngineSnapshot start;

    /** Begins the history of a topology. */
    public TopologyRecorder(Histories to, String name) {
        this.histories = to;
        this.history = to.begin(name);
    }

    /**
     * Adds a snapshot.
     *
     * @param now the snapshot
     * @param processes the worker processes of the topology; empty if it runs in this process, so that its heap and CPU time are
     *     those of the topology
     */
    public void add(EngineSnapshot now, List<WorkerStatus> processes) {
        histories.addMoves(history, now.moves());
        long nanos = now.uptimeNanos() - (start == null ? 0 : start.uptimeNanos());
        double seconds = Math.max(1, nanos) / 1e9;
        Map<HistorySeries, double[]> sample = new LinkedHashMap<>();
        for (ComponentSnapshot component : now.components()) {
            HistorySeries series = ComponentValue.series(component);
            double[] values = ComponentValue.between(before.get(component.id()), component, seconds);
            sample.put(series, withLargest(series, values));
        }
        if (nanos < SHORTEST_NANOS) {
            largest.putAll(sample);
            return;
        }
        sample.put(loops(now), now.loopBusySince(start));
        if (processes.isEmpty()) {
            sample.put(ProcessRecorder.SERIES, process.sample(JvmUsage.now()));
        } else {
            sample.putAll(workers.sample(processes));
        }
        histories.add(history, System.currentTimeMillis(), seconds, sample);
        largest.clear();
        start = now;
        now.components().forEach(component -> before.put(component.id(), component));
    }

    private double[] withLargest(HistorySeries series, double[] values) {
        double[] earlier = largest.get(series);
        if (earlier != null) {
            for (int i = 0; i < values.length; i++) {
                if (series.figures().get(i).merge() == Merge.MAX) {
                    values[i] = Math.max(values[i], earlier[i]);
                }
            }
        }
        return values;
    }

    private static HistorySeries loops(EngineSnapshot now) {
        List<Figure> figures = IntStream.range(0, now.loopBusyNanos().length)
                .mapToObj(loop -> new Figure("loop" + loop, Merge.MEAN))
                .toList();
        return new HistorySeries(HistorySeries.Kind.LOOPS, "", figures);
    }

    /** Notes the end of the topology. */
    public void end() {
        histories.end(history, System.currentTimeMillis());
    }
}
