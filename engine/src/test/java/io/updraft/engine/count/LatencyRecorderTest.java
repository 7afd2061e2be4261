package io.updraft.engine.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.metrics.LatencySummary;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
    private final LatencyRecorder recorder = new LatencyRecorder();
    private final Histogram total = LatencyRecorder.newTotal();

    private LatencySummary summary() {
        return LatencyRecorder.summarize(List.of(recorder), total);
    }

    @Test
    void shouldHaveNoLatencyInAnIntervalWithoutCalls() {
        recorder.record(100);
        assertThat(summary()).isEqualTo(new LatencySummary(1, 100, 100, 100, 100, 100));
        assertThat(summary()).isEqualTo(new LatencySummary(1, 0, 0, 0, 100, 100));
    }

    @Test
    void shouldTellACallThatTakesNoTimeFromNoCall() {
        recorder.record(0);
        recorder.record(-1);
        assertThat(summary().p50Nanos()).isEqualTo(1);
    }
}
