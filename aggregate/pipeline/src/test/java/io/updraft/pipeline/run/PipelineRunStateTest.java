package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.record.RecordRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PipelineRunStateTest {

    private final AtomicLong rejected = new AtomicLong();

    @Test
    void shouldHoldSourcesBackByTheBytesOfWhateverWaits() {
        PipelineRunState state = new PipelineRunState(plan(), () -> 0);
        for (AtomicLong waiting : List.of(state.bytesInFlight, state.resultBytes, rejected)) {
            assertThat(state.hasCapacity()).isTrue();
            waiting.set(Runtime.getRuntime().maxMemory());
            assertThat(state.hasCapacity()).isFalse();
            waiting.set(0);
        }
        assertThat(state.hasCapacity()).isTrue();
    }

    private RunPlan plan() {
        return new RunPlan.Routing(
                new RunPlan.Settings(
                        "test",
                        kept -> null,
                        () -> null,
                        true,
                        true,
                        1,
                        Duration.ZERO,
                        null,
                        new Waiting(),
                        new UnusableRecords(false, UnusableRecords.MAX_DAMAGED)),
                null,
                null,
                List.of(),
                false);
    }

    private final class Waiting implements RejectionHandler {
        @Override
        public void reject(String partition, long position, byte[] bytes, int from, int length, String reason) {}

        @Override
        public void late(String partition, long position, RecordRow row, long time) {}

        @Override
        public long waiting() {
            return rejected.get();
        }
    }
}
