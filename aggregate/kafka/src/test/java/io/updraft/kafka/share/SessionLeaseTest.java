package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionLeaseTest {

    private long now = Long.MAX_VALUE - 100;
    private final SessionLease lease = new SessionLease(Duration.ofNanos(1_000), () -> now);

    @Test
    void shouldEndAQuarterBeforeTheSession() {
        now += 749;
        assertThat(lease.holds()).isTrue();
        now += 1;
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void shouldCountFromWhenTheRequestWasSent() {
        long sent = now + 100;
        now += 700;
        lease.renew(sent);
        now += 149;
        assertThat(lease.holds()).isTrue();
        now += 1;
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void shouldStayOverWhateverIsAnsweredLater() {
        now += 2_000;
        lease.renew(now);
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void shouldNotBeShortenedByALateAnswer() {
        now += 500;
        lease.renew(now);
        lease.renew(now - 400);
        now += 700;
        assertThat(lease.holds()).isTrue();
    }
}
