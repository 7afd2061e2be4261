package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.pipeline.connector.RecordSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds to rejected samples the lines that their records begin in. Lines are counted when an operator looks, never by a task. Far into a
 * large file only the byte is known, until later looks have counted so far.
 */
final class SampleLines {
    private SampleLines() {}

    /** Returns the samples in the same order. The source is null before it is open. */
    static List<RejectedSample> of(List<RejectedSample> samples, RecordSource source) {
        if (source == null) {
            return samples;
        }
        Map<RejectedSample, Long> lines = new HashMap<>();
        // From the first position on: each count goes on from the one before.
        samples.stream()
                .filter(sample -> sample.position() >= 0)
                .sorted(Comparator.comparingLong(RejectedSample::position))
                .forEach(sample -> source.lineAt(sample.partition(), sample.position())
                        .ifPresent(line -> lines.put(sample, line)));
        return samples.stream()
                .map(sample -> sample.onLine(lines.getOrDefault(sample, 0L)))
                .toList();
    }
}
