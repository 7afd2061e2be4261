package io.updraft.observe.history;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Consecutive samples of one history: for each series an array, sample by sample.
 *
 * <pre>
 *   ends      t0        t1        t2 ...
 *   series A  a b c     a b c     a b c ...
 *   series B  NaN NaN   a b       a b ...      (began with the second sample)
 * </pre>
 */
final class HistoryBlock {
    private static final int BYTES_PER_ROW = Long.BYTES + Float.BYTES;
    private static final int BYTES_PER_SERIES = 100;

    private final long[] ends;
    private final float[] lengths;
    private final Map<HistorySeries, float[]> values = new LinkedHashMap<>();
    private final boolean coarse;
    private int rows;

    HistoryBlock(int capacity, boolean coarse) {
        ends = new long[capacity];
        lengths = new float[capacity];
        this.coarse = coarse;
    }

    boolean isFull() {
        return rows == ends.length;
    }

    /** Returns whether samples were merged to save memory. */
    boolean isCoarse() {
        return coarse;
    }

    /** Returns the end of the last sample, milliseconds since 1970. */
    long endMillis() {
        return ends[rows - 1];
    }

    /** Returns the start of the first sample, milliseconds since 1970. */
    long startMillis() {
        return startMillis(0);
    }

    private long startMillis(int row) {
        return ends[row] - Math.round(lengths[row] * 1e3);
    }

    /** Adds a sample. The block must not be full. */
    void add(long endMillis, double seconds, Map<HistorySeries, double[]> sample) {
        ends[rows] = endMillis;
        lengths[rows] = (float) seconds;
        sample.forEach((series, figures) -> {
            int width = figures.length;
            float[] column = values.computeIfAbsent(series, added -> empty(width));
            for (int i = 0; i < width; i++) {
                column[rows * width + i] = (float) figures[i];
            }
        });
        rows++;
    }

    private float[] empty(int width) {
        float[] column = new float[ends.length * width];
        Arrays.fill(column, Float.NaN);
        return column;
    }

    /** Returns the memory of the block, about, in bytes. */
    long bytes() {
        long bytes = (long) ends.length * BYTES_PER_ROW;
        for (float[] column : values.values()) {
            bytes += BYTES_PER_SERIES + (long) column.length * Float.BYTES;
        }
        return bytes;
    }

    /** Adds the samples that end after a time to steps, which are in the order of time. */
    void addTo(HistorySteps steps, long fromMillis) {
        for (int row = 0; row < rows; row++) {
            if (ends[row] > fromMillis) {
                addRow(row, steps.at(startMillis(row), ends[row]));
            }
        }
    }

    private void addRow(int row, StepAccumulator step) {
        step.begin(lengths[row]);
        for (Map.Entry<HistorySeries, float[]> series : values.entrySet()) {
            int width = series.getKey().figures().size();
            step.add(series.getKey(), lengths[row], series.getValue(), row * width);
        }
    }

    /** Returns the same samples, each {@code merged} of them as one. */
    HistoryBlock coarser(int merged) {
        HistoryBlock result = new HistoryBlock((rows + merged - 1) / merged, true);
        for (int first = 0; first < rows; first += merged) {
            int end = Math.min(rows, first + merged);
            StepAccumulator step = new StepAccumulator(startMillis(first));
            for (int row = first; row < end; row++) {
                addRow(row, step);
            }
            result.add(ends[end - 1], step.seconds(), step.step().values());
        }
        return result;
    }
}
