package io.updraft.observe.history;

import io.updraft.observe.process.JvmUsage;
import java.util.List;

/** Makes samples of what one process has used: heap, CPU time, garbage collections. Not thread-safe. */
final class ProcessRecorder {
    static final Figure HEAP = new Figure("heapUsedBytes", Merge.MAX);

    /** CPU time per second, so 2 stands for two cores. */
    static final Figure CPU = new Figure("cpuCores", Merge.MEAN);

    static final Figure GC = new Figure("gcShare", Merge.MEAN);

    private static final List<Figure> FIGURES = List.of(HEAP, CPU, GC);

    static final HistorySeries SERIES = new HistorySeries(HistorySeries.Kind.PROCESS, "", FIGURES);

    private JvmUsage before;

    /** Creates a recorder whose first sample begins with a usage. */
    ProcessRecorder(JvmUsage start) {
        this.before = start;
    }

    static HistorySeries worker(int number) {
        return new HistorySeries(HistorySeries.Kind.WORKER, String.valueOf(number), FIGURES);
    }

    /** Returns whether a usage is newer than that of the last call of {@link #sample}. */
    boolean isNew(JvmUsage now) {
        return now.uptimeMillis() > before.uptimeMillis();
    }

    /** Returns the values since the last call. */
    double[] sample(JvmUsage now) {
        double millis = Math.max(1, now.uptimeMillis() - before.uptimeMillis());
        double[] values = {
            now.heapUsedBytes(),
            (now.cpuNanos() - before.cpuNanos()) / (millis * 1e6),
            (now.gcMillis() - before.gcMillis()) / millis
        };
        before = now;
        return values;
    }
}
