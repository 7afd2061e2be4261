package io.updraft.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    private final List<String> closed = new ArrayList<>();
    private long now = 1_000;
    private final ConnectionLimits<String> limits = new ConnectionLimits<>(
            new ConnectionLimits.Limits(
                    4,
                    2,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(1)),
            this::close,
            () -> now);

    private void close(String connection) {
        closed.add(connection);
        limits.closed(connection);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void shouldCloseTheOldestSilentConnectionWhenAnotherComes() {
        open("idle", "silent", "silent too", "calling");
        limits.transfers("idle");
        limits.calls("idle");
        limits.idles("idle");
        limits.transfers("calling");
        limits.calls("calling");

        limits.opened("new");

        assertThat(closed).containsExactly("silent");
        assertThat(limits.size()).isEqualTo(4);
    }

    @Test
    void shouldCloseTheNewConnectionWhenAllOthersAreWorkedFor() {
        open("a", "b", "c", "d");
        for (String each : List.of("a", "b", "c", "d")) {
            limits.transfers(each);
            limits.calls(each);
        }

        limits.opened("new");

        assertThat(closed).containsExactly("new");
    }

    @Test
    void shouldCloseTheSlowestTransferBeyondTheLimitButNoneThatIsQuick() {
        open("slow", "b", "c");
        limits.transfers("slow");
        limits.transfers("b");
        limits.transfers("c");
        assertThat(closed).isEmpty();

        pass(Duration.ofSeconds(1));
        open("d");
        limits.transfers("d");

        assertThat(closed).containsExactly("slow");
    }

    @Test
    void shouldCloseThoseThatTakeTooLongButNeverOneThatIsWorkedFor() {
        open("silent", "sending", "calling", "idle");
        limits.transfers("sending");
        limits.transfers("calling");
        limits.calls("calling");
        limits.transfers("idle");
        limits.idles("idle");

        pass(Duration.ofSeconds(10));
        limits.expire();
        assertThat(closed).containsExactly("silent");
        pass(Duration.ofSeconds(10));
        limits.expire();
        assertThat(closed).containsExactly("silent", "sending");
        pass(Duration.ofSeconds(1_000));
        limits.expire();
        assertThat(closed).containsExactly("silent", "sending", "idle");
        assertThat(limits.size()).isEqualTo(1);
    }

    /** Beside a model that knows of each connection what it does and since when. */
    @Test
    void shouldNeverCloseACallNorHoldMoreThanAllowed() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Map<String, Boolean> calling = new HashMap<>();
            closed.clear();
            limits.closeAll();
            closed.clear();
            for (int step = 0; step < 200; step++) {
                String one = "c" + random.nextInt(8);
                switch (random.nextInt(6)) {
                    case 0 -> {
                        if (!calling.containsKey(one)) {
                            calling.put(one, false);
                            limits.opened(one);
                        }
                    }
                    case 1 -> {
                        limits.transfers(one);
                        calling.computeIfPresent(one, (name, was) -> false);
                    }
                    case 2 -> {
                        limits.calls(one);
                        calling.computeIfPresent(one, (name, was) -> true);
                    }
                    case 3 -> {
                        limits.idles(one);
                        calling.computeIfPresent(one, (name, was) -> false);
                    }
                    case 4 -> {
                        pass(Duration.ofMillis(random.nextInt(5_000)));
                        limits.expire();
                    }
                    default -> limits.closeSlowest();
                }
                for (String each : closed) {
                    assertThat(calling.remove(each))
                            .as("seed %d: %s is called", seed, each)
                            .isFalse();
                }
                closed.clear();
                assertThat(limits.size())
                        .as("seed %d", seed)
                        .isEqualTo(calling.size())
                        .isLessThanOrEqualTo(4);
            }
        }
    }

    private void open(String... names) {
        for (String name : names) {
            limits.opened(name);
        }
    }
}
