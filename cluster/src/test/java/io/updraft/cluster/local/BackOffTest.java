package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BackOffTest {

    @Test
    void shouldDoubleUpToTheLongestWait() {
        BackOff backOff = new BackOff(1);
        long wait = BackOff.FIRST_NANOS;
        for (int i = 0; i < 12; i++) {
            assertThat(backOff.afterDeath(0)).isBetween(wait / 2, wait);
            wait = Math.min(2 * wait, BackOff.LONGEST_NANOS);
        }
    }

    @Test
    void shouldBeginAnewAfterAProcessThatLasted() {
        BackOff backOff = new BackOff(1);
        for (int i = 0; i < 5; i++) {
            backOff.afterDeath(0);
        }
        assertThat(backOff.afterDeath(BackOff.LASTED_NANOS)).isLessThanOrEqualTo(BackOff.FIRST_NANOS);
    }

    @Test
    void shouldNotSendAllWorkersAtTheSameMoment() {
        Set<Long> waits = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            waits.add(new BackOff(seed).afterDeath(0));
        }
        assertThat(waits).hasSize(20);
    }
}
