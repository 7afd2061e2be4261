package io.updraft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PolledTimeoutTest {

    /** So that nothing depends on where the clock begins: it may wrap around. */
    private static final long START = Long.MAX_VALUE - 10;

    private final PolledTimeout timeout = new PolledTimeout(1_000, START);

    @Test
    void shouldPassAfterItsLimitWhenCheckedOften() {
        for (int now = 10; now <= 1_000; now += 10) {
            assertThat(timeout.check(START + now)).as("after %d", now).isFalse();
        }
        assertThat(timeout.check(START + 1_001)).isTrue();
    }

    @Test
    void shouldLeaveSeveralPollsAfterALongPause() {
        assertThat(timeout.check(START + 1_000_000)).isFalse();
        for (int poll = 1; poll <= 750; poll++) {
            assertThat(timeout.check(START + 1_000_000 + poll)).isFalse();
        }
        assertThat(timeout.check(START + 1_000_751)).isTrue();
    }

    @Test
    void shouldPassAtLastHoweverRarelyItIsChecked() {
        int checks = 1;
        while (!timeout.check(START + checks * 1_000_000L)) {
            checks++;
        }
        assertThat(checks).isEqualTo(5);
    }

    @Test
    void shouldPassAtItsLimitWhenCheckedAsLateAsItSays() {
        long now = START;
        while (!timeout.check(now)) {
            long next = timeout.nextCheck();
            now = next == now ? now + 1 : next;
        }
        assertThat(now - START).isEqualTo(1_001);
    }
}
