package io.updraft.observe.history;

import io.updraft.engine.snapshot.Move;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.observe.process.JvmUsage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Adds the progress of a pipeline to its history, once a second. One thread adds. */
public final class PipelineRecorder {
    private static final long PERIOD_NANOS = 1_000_000_000L;

    private static final HistorySeries SERIES = new HistorySeries(
            HistorySeries.Kind.PIPELINE,
            "",
            List.of(
                    new Figure("recordsPerSecond", Merge.MEAN),
                    new Figure("rowsPerSecond", Merge.MEAN),
                    new Figure("decodedBytesPerSecond", Merge.MEAN),
                    new Figure("groupsPerSecond", Merge.MEAN),
                    new Figure("deliveredPerSecond", Merge.MEAN),
                    new Figure("windows", Merge.SUM),
                    new Figure("badRecords", Merge.SUM),
                    new Figure("lateRows", Merge.SUM),
                    new Figure("duplicateRows", Merge.SUM),
                    new Figure("writeRetries", Merge.SUM),
                    new Figure("overflowedGroups", Merge.SUM),
                    new Figure("alarms", Merge.SUM),
                    new Figure("rerouted", Merge.SUM),
                    new Figure("undeliverable", Merge.SUM),
                    new Figure("openWindows", Merge.MAX),
                    new Figure("openGroups", Merge.MAX),
                    new Figure("stateBytes", Merge.MAX),
                    new Figure("waitingRecords", Merge.MAX)));

    private final Histories histories;
    private final History history;
    private final ProcessRecorder process = new ProcessRecorder(JvmUsage.now());
    private double[] before = new double[SERIES.figures().size()];
    private long sampledNanos = System.nanoTime();
    private volatile Map<String, Double> rates = Map.of();

    /** Begins the history of a pipeline. */
    public PipelineRecorder(Histories to, String name) {
        this.histories = to;
        this.history = to.begin(name);
    }

    /** Returns whether a second has passed since the last sample. */
    public boolean isDue() {
        return System.nanoTime() - sampledNanos >= PERIOD_NANOS;
    }

    /** Adds a sample, and the moves that are new. */
    public void add(PipelineProgress progress, List<Move> moves) {
        histories.addMoves(history, moves);
        long nanos = System.nanoTime();
        double seconds = Math.max(1, nanos - sampledNanos) / 1e9;
        sampledNanos = nanos;
        double[] now = counts(progress);
        double[] values = new double[now.length];
        for (int i = 0; i < now.length; i++) {
            values[i] = switch (SERIES.figures().get(i).merge()) {
                case MEAN -> (now[i] - before[i]) / seconds;
                case SUM -> now[i] - before[i];
                case MAX -> now[i];
            };
        }
        before = now;
        rates = IntStream.range(0, values.length)
                .boxed()
                .filter(i -> SERIES.figures().get(i).merge() == Merge.MEAN)
                .collect(Collectors.toMap(i -> SERIES.figures().get(i).key(), i -> values[i]));
        Map<HistorySeries, double[]> sample = new LinkedHashMap<>();
        sample.put(SERIES, values);
        sample.put(lagSeries(progress), lags(progress));
        sample.put(ProcessRecorder.SERIES, process.sample(JvmUsage.now()));
        histories.add(history, System.currentTimeMillis(), seconds, sample);
    }

    /** Returns the rates of the last second by their names; none before the first sample. Any thread. */
    public Map<String, Double> rates() {
        return rates;
    }

    private static double[] counts(PipelineProgress progress) {
        PipelineProgress.Route route = progress.route();
        return new double[] {
            progress.records(),
            progress.rows(),
            progress.bytes(),
            progress.groups(),
            route == null
                    ? 0
                    : route.delivered().values().stream()
                            .mapToLong(Long::longValue)
                            .sum(),
            progress.windows(),
            progress.rejected(),
            progress.late(),
            progress.duplicates(),
            progress.retries(),
            progress.overflows(),
            progress.alarms(),
            route == null ? 0 : route.rerouted(),
            route == null ? 0 : route.failed(),
            progress.openWindows(),
            progress.openGroups(),
            progress.stateBytes(),
            route == null ? 0 : route.waiting()
        };
    }

    /** Sources are numbered in the order of the description; the key says in which unit the lag is. */
    private static HistorySeries lagSeries(PipelineProgress progress) {
        List<SourceProgress> sources = progress.sources();
        List<Figure> figures = IntStream.range(0, sources.size())
                .mapToObj(source -> new Figure(
                        "source" + source + "Lag"
                                + ("bytes".equals(sources.get(source).unit()) ? "Bytes" : "Records"),
                        Merge.MAX))
                .toList();
        return new HistorySeries(HistorySeries.Kind.PIPELINE, "lag", figures);
    }

    private static double[] lags(PipelineProgress progress) {
        return progress.sources().stream()
                .mapToDouble(source -> source.lag() < 0 ? Double.NaN : source.lag())
                .toArray();
    }
}
