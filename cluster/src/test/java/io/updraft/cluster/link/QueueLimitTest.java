package io.updraft.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueLimitTest {

    @Test
    void shouldLetAsManyThingsWaitAsWeighWhatMayWait() {
        assertThat(new QueueLimit(1_000).limitAfter(300, 3)).isEqualTo(10);
        assertThat(new QueueLimit(1_000).limitAfter(5_000, 1)).isEqualTo(1);
        assertThat(new QueueLimit(1L << 40).limitAfter(1, 1)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldFollowTheWeightOfWhatComes() {
        QueueLimit room = new QueueLimit(1_000_000);
        room.limitAfter(10, 1);
        int after = 0;
        for (int i = 0; i < 100; i++) {
            after = room.limitAfter(10_000, 1);
        }
        assertThat(after).isBetween(100, 101);
    }

    @Test
    void shouldNotBeSwayedByASingleHeavyThing() {
        QueueLimit room = new QueueLimit(1_000_000);
        room.limitAfter(100, 10);
        assertThat(room.limitAfter(10_000, 1)).isGreaterThan(500);
    }
}
