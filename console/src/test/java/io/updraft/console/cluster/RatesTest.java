package io.updraft.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RatesTest {
    private final FakeNimbus nimbus = new FakeNimbus();
    private final Rates.Window window = new Rates.Window(false);

    private Rates at(long seconds, long count) {
        nimbus.count = count;
        return window.add(nimbus.reading(TimeUnit.SECONDS.toNanos(seconds)));
    }

    @Test
    void shouldUseStormsWindowUntilWorkersHaveReportedTwice() {
        at(0, 1_000);

        Rates rates = at(59, 7_000);

        assertThat(rates.seconds()).isEqualTo(600);
        assertThat(rates.of("split").executed()).isEqualTo(2);
    }

    @Test
    void shouldUseTheDifferenceOverOnePeriodOfReports() {
        at(0, 1_000);
        at(30, 1_000);

        Rates rates = at(60, 7_000);

        assertThat(rates.seconds()).isEqualTo(60);
        assertThat(rates.of("split").executed()).isEqualTo(200);
        assertThat(rates.of("lines").emitted()).isEqualTo(100);
        assertThat(rates.of(4).executed()).isEqualTo(100);
        assertThat(rates.of(new TopologyReading.Edge("lines", "default", "split"))
                        .executed())
                .isEqualTo(200);
        assertThat(at(91, 7_000).seconds()).isEqualTo(61);
    }

    @Test
    void shouldUseStormsWindowAfterARestart() {
        at(0, 1_000);

        assertThat(at(60, 10).of("split").executed()).isEqualTo(2);
    }

    @Test
    void shouldKeepFewReadings() {
        for (int second = 0; second < 10_000; second++) {
            Rates rates = window.add(nimbus.reading(TimeUnit.MILLISECONDS.toNanos(100L * second)));
            if (second > 2_000) {
                assertThat(rates.seconds()).isBetween(60.0, 65.0);
            }
        }
    }
}
