package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.pipeline.RejectedSample.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RejectionSamplesTest {

    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - SECOND);
    private final RejectionSamples samples =
            new RejectionSamples(nanos::get, () -> nanos.get() == Long.MAX_VALUE - SECOND ? 1 : 2);

    @Test
    void shouldTakeTwentyOfAFloodAndThenFourASecond() {
        assertThat(taken(Kind.LATE, 1_000)).isEqualTo(20);
        assertThat(taken(Kind.REJECTED, 5)).as("another kind").isEqualTo(5);
        int later = 0;
        for (int i = 0; i < 1_000; i++) {
            nanos.addAndGet(10 * SECOND / 1_000);
            later += taken(Kind.LATE, 100);
        }
        assertThat(later).as("in ten seconds").isEqualTo(40);
        nanos.addAndGet(60 * SECOND);
        assertThat(samples.isDue(Kind.LATE))
                .as("before the source is read again")
                .isFalse();
        assertThat(taken(Kind.LATE, 1_000)).as("after a pause").isEqualTo(20);
    }

    private int taken(Kind kind, int rejected) {
        samples.resume();
        int taken = 0;
        for (int i = 0; i < rejected; i++) {
            taken += samples.isDue(kind) ? 1 : 0;
        }
        return taken;
    }

    @Test
    void shouldKeepTheNewestTwentyOfEachKindTheNewestFirst() {
        add(Kind.REJECTED, 0, "first of all");
        nanos.addAndGet(SECOND);
        for (int i = 1; i <= 30; i++) {
            add(Kind.REJECTED, i, "x");
        }
        add(Kind.OVERFLOW, -1, "x");
        List<RejectedSample> newest = samples.newest();
        assertThat(newest).hasSize(21);
        assertThat(newest.stream()
                        .filter(sample -> sample.kind() == Kind.REJECTED)
                        .map(RejectedSample::position))
                .startsWith(30L, 29L)
                .endsWith(11L);
        assertThat(newest)
                .filteredOn(sample -> sample.kind() == Kind.OVERFLOW)
                .singleElement()
                .extracting(RejectedSample::place)
                .isEqualTo("u");
    }

    @Test
    void shouldKeepTheBeginningOfARecordWithoutControlCharacters() {
        add(Kind.REJECTED, 7, "a\u001b[2J\n" + "é".repeat(500));
        RejectedSample sample = samples.newest().get(0);
        assertThat(sample.record())
                .startsWith("a\\u001b[2J\\u000aé")
                .endsWith("é…")
                .hasSize(200);
        assertThat(sample.line())
                .isEqualTo("1970-01-01T00:00:00.001Z rejected record, u at 7: why\\u0007: " + sample.record());
        add(Kind.REJECTED, 8, "\u0000".repeat(100));
        assertThat(samples.newest().get(0).record())
                .hasSizeLessThanOrEqualTo(200)
                .endsWith("\\u0000…");
    }

    private void add(Kind kind, long position, String record) {
        byte[] bytes = ("--" + record).getBytes(StandardCharsets.UTF_8);
        samples.add(kind, "u", position, "why\u0007", bytes, 2, bytes.length - 2);
    }
}
