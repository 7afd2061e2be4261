package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.updraft.storm.instrument.CountWatcher.BoltCapacity;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoltCapacityTest {
    private final AtomicLong now = new AtomicLong(1_000_000_007);
    private final BoltCapacity capacity = new BoltCapacity(now::get);

    @Test
    void shouldBeTheShareOfTimeSinceTheBeginning() {
        assertThat(capacity.getValue()).isZero();
        now.addAndGet(10_000);
        capacity.add(2_500);

        assertThat(capacity.getValue()).isEqualTo(0.25);
    }

    @Test
    void shouldForgetWhatIsOlderThanTenMinutes() {
        for (int second = 0; second < 3_600; second++) {
            now.addAndGet(1_000);
            capacity.add(second < 1_800 ? 900 : 300);
        }
        assertThat(capacity.getValue()).isEqualTo(0.3, within(0.016));
        now.addAndGet(700_000);
        assertThat(capacity.getValue()).isZero();
    }
}
