package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OutageLogTest {

    private final List<String> log = new ArrayList<>();
    private long now = TimeUnit.SECONDS.toNanos(1_000);
    private final OutageLog outage = new OutageLog("Kafka at a:1", Duration.ofSeconds(5), () -> now, log::add);

    @Test
    void shouldWarnOnceThenEveryMinuteAndSayWhenItIsOver() {
        for (int second = 0; second <= 70; second++, now += TimeUnit.SECONDS.toNanos(1)) {
            outage.report("no answer");
        }
        assertThat(outage.length()).isEqualTo(Duration.ofSeconds(71));
        outage.end();
        outage.end();
        assertThat(outage.length()).isZero();
        assertThat(log)
                .containsExactly(
                        "Kafka at a:1 does not answer: no answer; retrying until it answers",
                        "Kafka at a:1 has not answered for 65 s: no answer; retrying until it answers",
                        "Kafka at a:1 answers again, after 71 s");
    }

    @Test
    void shouldSayNothingOfWhatIsSoonOver() {
        for (int i = 0; i < 10; i++) {
            outage.report("no leader");
            now += TimeUnit.SECONDS.toNanos(4);
            outage.end();
        }
        assertThat(log).isEmpty();
    }
}
