package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class NakDelayTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = Long.MAX_VALUE - SECOND;
    private final NakDelay pace = new NakDelay(() -> now);

    @Test
    void shouldLetAloneAskAsSoonAsAeronDoes() {
        for (int i = 0; i < 5; i++) {
            assertThat(pace.generateDelayNs()).isEqualTo(NakDelay.FIRST_NANOS);
            now += NakDelay.FIRST_NANOS;
            assertThat(pace.retryDelayNs()).isEqualTo(NakDelay.AGAIN_NANOS);
            now += NakDelay.AGAIN_NANOS;
        }
    }

    /** Each stream asks when its delay is over, and gets nothing: the way on which answers come is full. */
    @Test
    void shouldAskNoMoreOftenHoweverManyStreamsMissSomething() {
        for (int streams : new int[] {1, 20, 200, 2_000}) {
            long[] due = LongStream.generate(() -> now + pace.generateDelayNs())
                    .limit(streams)
                    .toArray();
            int asked = 0;
            for (long end = now + SECOND; end - now > 0; now += 50_000) {
                for (int i = 0; i < streams; i++) {
                    if (due[i] - now <= 0) {
                        asked++;
                        due[i] = now + pace.retryDelayNs();
                    }
                }
            }
            long together = SECOND / NakDelay.AGAIN_SPACING_NANOS;
            long alone = streams * SECOND / NakDelay.AGAIN_NANOS;
            // The first time comes on top of that.
            assertThat((long) asked - streams)
                    .as("asked again by %d", streams)
                    .isBetween(Math.min(alone, together) * 7 / 10 - streams, together);
        }
    }

    @Test
    void shouldAskSoonForWhatIsMissedWhileOthersAskAgain() {
        for (int i = 0; i < 1_000; i++) {
            pace.retryDelayNs();
        }
        assertThat(pace.generateDelayNs()).isEqualTo(NakDelay.FIRST_NANOS);
    }
}
