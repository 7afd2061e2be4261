package io.updraft.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoomTest {

    @Test
    void shouldLetAsManyThingsWaitAsWeighWhatMayWait() {
        assertThat(new Room(1_000).after(300, 3)).isEqualTo(10);
        assertThat(new Room(1_000).after(5_000, 1)).isEqualTo(1);
        assertThat(new Room(1L << 40).after(1, 1)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldFollowTheWeightOfWhatComes() {
        Room room = new Room(1_000_000);
        room.after(10, 1);
        int after = 0;
        for (int i = 0; i < 100; i++) {
            after = room.after(10_000, 1);
        }
        assertThat(after).isBetween(100, 101);
    }

    @Test
    void shouldNotBeSwayedByASingleHeavyThing() {
        Room room = new Room(1_000_000);
        room.after(100, 10);
        assertThat(room.after(10_000, 1)).isGreaterThan(500);
    }
}
