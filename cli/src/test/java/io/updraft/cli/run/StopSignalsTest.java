package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.run.StopSignals.Meaning;
import org.junit.jupiter.api.Test;

class StopSignalsTest {
    private long now = Long.MAX_VALUE;
    private final StopSignals signals = new StopSignals(() -> now);

    @Test
    void shouldTakeSignalsWithinASecondAsOneRequest() {
        assertThat(signals.any()).isFalse();
        assertThat(signals.take()).isEqualTo(Meaning.END);
        assertThat(signals.any()).isTrue();
        assertThat(signals.take()).isEqualTo(Meaning.REPETITION);
        now += StopSignals.SAME_REQUEST.toNanos() - 1;
        assertThat(signals.take()).isEqualTo(Meaning.REPETITION);
    }

    @Test
    void shouldTakeALaterSignalAsARequestToEndAtOnce() {
        signals.take();
        now += StopSignals.SAME_REQUEST.toNanos() - 1;
        signals.take();
        now += 1;
        assertThat(signals.take()).isEqualTo(Meaning.END_AT_ONCE);
    }
}
