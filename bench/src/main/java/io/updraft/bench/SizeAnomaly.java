package io.updraft.bench;

import io.updraft.bench.report.NumberFormats;
import java.util.List;
import java.util.Optional;

/**
 * Yahoo's anomaly: throughput rises when messages get larger, a sign that something other than the work limits it. A rise
 * counts when it exceeds noise. That means the slowest run of the larger size beats the fastest run of the smaller size, and
 * the medians differ by more than the widest spread of the sweep and by more than 5%.
 */
record SizeAnomaly(Series smaller, Series larger) {

    private static final double LEAST = 0.05;

    /** {@return the largest rise in one side's series, which are sorted by message size; empty if there is none} */
    static Optional<SizeAnomaly> find(List<Series> bySize) {
        double noise = Math.max(
                LEAST,
                bySize.stream()
                        .mapToDouble(series -> series.messagesPerSecond().spread())
                        .max()
                        .orElse(0));
        SizeAnomaly largest = null;
        for (int i = 0; i < bySize.size(); i++) {
            for (int j = i + 1; j < bySize.size(); j++) {
                SizeAnomaly candidate = new SizeAnomaly(bySize.get(i), bySize.get(j));
                if (candidate.isBeyond(noise) && (largest == null || candidate.rise() > largest.rise())) {
                    largest = candidate;
                }
            }
        }
        return Optional.ofNullable(largest);
    }

    /** {@return one sentence: the largest rise, or that there is none} */
    static String verdict(List<Series> bySize) {
        return find(bySize)
                .map(SizeAnomaly::toString)
                .orElse("throughput never rises with message size (beyond noise)");
    }

    double rise() {
        return larger.messagesPerSecond().ratioTo(smaller.messagesPerSecond()) - 1;
    }

    private boolean isBeyond(double noise) {
        return larger.messagesPerSecond().min() > smaller.messagesPerSecond().max() && rise() > noise;
    }

    @Override
    public String toString() {
        return "throughput rises by " + NumberFormats.percent(rise()) + " from "
                + smaller.shape().messageSize() + " B to " + larger.shape().messageSize() + " B";
    }
}
