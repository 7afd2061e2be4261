package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AggregationPlanTest {

    @Test
    void shouldTellDimensionsApartWhoseNamesHaveCommas() {
        assertThat(plan("a, b").windowFingerprint()).isNotEqualTo(plan("a", "b").windowFingerprint());
        assertThat(plan("a", "b").hasWindowsOf(plan("a, b").windowFingerprint()))
                .isFalse();
        assertThat(plan("b", "a").hasWindowsOf(plan("a", "b").windowFingerprint()))
                .isTrue();
        assertThat(plan("a\\, b").windowFingerprint()).isNotEqualTo(plan("a, b").windowFingerprint());
    }

    @Test
    void shouldAcceptTheFingerprintsOfEarlierVersions() {
        String before = "b8f825eb";
        assertThat(plan("a", "b").windowFingerprint()).isEqualTo(before);
        assertThat(plan("a, b").hasWindowsOf(before)).isTrue();
    }

    private static RunPlan.Aggregation plan(String... dimensions) {
        Schema schema = new Schema(Stream.of(dimensions)
                .map(name -> new Schema.Field(name, FieldType.TEXT))
                .toList());
        WindowSpec windows = WindowSpec.tumbling(Duration.ofMinutes(1));
        Query query = new Query(
                schema, List.of(dimensions), List.of(new Measure("n", AggregateFunction.COUNT, null, 0)), windows);
        TimeSpec time = new TimeSpec(TimeSpec.Origin.SOURCE, null, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        return new RunPlan.Aggregation(null, query, null, null, null, time, null, null, null);
    }
}
