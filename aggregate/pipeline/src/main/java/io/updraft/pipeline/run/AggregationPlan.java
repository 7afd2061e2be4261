package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The plan of a run that aggregates rows.
 *
 * @param limits the limits of all aggregators together
 * @param early how often results of open windows are written before their end; zero for never
 * @param flush how long results and positions may wait to be made durable, unless the run ends before
 * @param sinks the sinks of this run alone, each opened by the thread that uses it; a sink that stores positions comes last
 */
record AggregationPlan(
        RunSettings settings,
        Query query,
        AggregatorOptions limits,
        TimeSpec time,
        Duration early,
        Duration flush,
        List<ResultSink> sinks)
        implements RunPlan {

    private static final Pattern SEPARATORS = Pattern.compile("[\\\\,\\]]");

    /**
     * Returns a fingerprint of the windows: length, grouping and source of the time. It is stored with each position, so it is
     * short. A run of the same name with other windows would otherwise continue in the middle of its first windows.
     */
    public String windowFingerprint() {
        return fingerprint(name -> SEPARATORS.matcher(name).replaceAll("\\\\$0"));
    }

    /**
     * Returns whether an earlier run had the same windows. Earlier versions did not escape names, so that of {@code "a, b"} was
     * that of {@code a} and {@code b}.
     *
     * @param before the fingerprint that the earlier run has stored
     */
    public boolean hasWindowsOf(String before) {
        return before.equals(windowFingerprint()) || before.equals(fingerprint(name -> name));
    }

    /** Most names need no escape, so that their fingerprints are those of earlier versions. */
    private String fingerprint(UnaryOperator<String> escape) {
        WindowSpec window = query.window();
        List<String> dimensions =
                query.dimensions().stream().sorted().map(escape).toList();
        CRC32C hash = new CRC32C();
        hash.update((window.size() + " " + window.slide() + " " + dimensions + " " + time.origin() + " " + time.field())
                .getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(hash.getValue());
    }
}
