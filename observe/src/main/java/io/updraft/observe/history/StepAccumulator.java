package io.updraft.observe.history;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges the samples of one step. Not thread-safe. */
final class StepAccumulator {
    private final long startMillis;
    private final Map<HistorySeries, Sums> series = new LinkedHashMap<>();
    private double seconds;

    StepAccumulator(long startMillis) {
        this.startMillis = startMillis;
    }

    long startMillis() {
        return startMillis;
    }

    /** Begins a sample; {@link #add} then gives its values. */
    void begin(double length) {
        seconds += length;
    }

    double seconds() {
        return seconds;
    }

    /** Adds the values of one series in a sample, from an index of an array on. */
    void add(HistorySeries key, double length, float[] values, int offset) {
        series.computeIfAbsent(key, Sums::new).add(length, values, offset);
    }

    HistoryStep step() {
        Map<HistorySeries, double[]> values = new LinkedHashMap<>();
        series.forEach((key, sums) -> values.put(key, sums.values()));
        return new HistoryStep(startMillis, seconds, values);
    }

    /** The sums of one series. A value that is not a number was not sampled. */
    private static final class Sums {
        private final List<Figure> figures;
        private final double[] sums;
        private final double[] weights;

        Sums(HistorySeries series) {
            figures = series.figures();
            sums = new double[figures.size()];
            weights = new double[sums.length];
            Arrays.fill(sums, Double.NaN);
        }

        void add(double length, float[] values, int offset) {
            for (int i = 0; i < sums.length; i++) {
                float value = values[offset + i];
                if (!Float.isNaN(value)) {
                    sums[i] = merged(i, value, length);
                    weights[i] += length;
                }
            }
        }

        private double merged(int figure, double value, double length) {
            boolean first = Double.isNaN(sums[figure]);
            return switch (figures.get(figure).merge()) {
                case MEAN -> (first ? 0 : sums[figure]) + value * length;
                case SUM -> (first ? 0 : sums[figure]) + value;
                case MAX -> first ? value : Math.max(sums[figure], value);
            };
        }

        double[] values() {
            double[] values = sums.clone();
            for (int i = 0; i < values.length; i++) {
                if (figures.get(i).merge() == Merge.MEAN) {
                    values[i] /= weights[i];
                }
            }
            return values;
        }
    }
}
