package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskOverloadTest {
    private static final int[] TASK = {1};

    private final TaskOverload overload = new TaskOverload(3);

    private void send(int tuples) {
        for (int i = 0; i < tuples; i++) {
            overload.sent(1);
        }
    }

    @Test
    void shouldTakeASlowTaskForOverloadedUntilItHasSeenWhatWasSent() {
        overload.setSlow(TASK, true);
        send(32);
        assertThat(overload.isOverloaded(1)).isFalse();
        send(1);
        assertThat(overload.isOverloaded(1)).isTrue();
        assertThat(overload.isOverloaded(2)).isFalse();
        overload.seen(TASK);
        assertThat(overload.isOverloaded(1)).isFalse();
    }

    @Test
    void shouldNotCountForAQuickTask() {
        send(1_000_000);
        assertThat(overload.isOverloaded(1)).isFalse();
    }

    @Test
    void shouldNotRefuseATaskForEver() {
        overload.setSlow(TASK, true);
        send(100);
        int refused = 0;
        while (overload.isOverloaded(1)) {
            refused++;
        }
        assertThat(refused).isBetween(1_000, 100_000);
    }
}
