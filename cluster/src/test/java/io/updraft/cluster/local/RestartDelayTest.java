package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.local.WorkerSlot.RestartDelay;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RestartDelayTest {

    @Test
    void shouldDoubleUpToTheLongestWait() {
        RestartDelay backOff = new RestartDelay(1);
        long wait = RestartDelay.FIRST_NANOS;
        for (int i = 0; i < 12; i++) {
            assertThat(backOff.afterDeath(0)).isBetween(wait / 2, wait);
            wait = Math.min(2 * wait, RestartDelay.MAX_NANOS);
        }
    }

    @Test
    void shouldBeginAnewAfterAProcessThatLasted() {
        RestartDelay backOff = new RestartDelay(1);
        for (int i = 0; i < 5; i++) {
            backOff.afterDeath(0);
        }
        assertThat(backOff.afterDeath(RestartDelay.RESET_NANOS)).isLessThanOrEqualTo(RestartDelay.FIRST_NANOS);
    }

    @Test
    void shouldNotSendAllWorkersAtTheSameMoment() {
        Set<Long> waits = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            waits.add(new RestartDelay(seed).afterDeath(0));
        }
        assertThat(waits).hasSize(20);
    }
}
