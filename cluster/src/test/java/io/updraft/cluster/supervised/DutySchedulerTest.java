package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.Subject;
import org.apache.storm.security.auth.ReqContext;
import org.junit.jupiter.api.Test;

final class DutySchedulerTest {
    private static final long LIMIT_SECS = 60;

    @Test
    void shouldTryAgainWhateverADutyThrows() throws InterruptedException {
        CountDownLatch third = new CountDownLatch(3);
        try (DutyScheduler timers = new DutyScheduler(new Subject(), (thread, failure) -> {})) {
            timers.duty("fail", () -> {
                        third.countDown();
                        throw new AssertionError("always");
                    })
                    .every(1);
            assertThat(third.await(LIMIT_SECS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldTellOfWhatNobodySurvives() throws Exception {
        CompletableFuture<Throwable> reported = new CompletableFuture<>();
        try (DutyScheduler timers = new DutyScheduler(new Subject(), (thread, failure) -> reported.complete(failure))) {
            timers.duty("find memory", () -> {
                        throw new OutOfMemoryError("for the test");
                    })
                    .soon();
            assertThat(reported.get(LIMIT_SECS, TimeUnit.SECONDS)).hasMessage("for the test");
        }
    }

    @Test
    void shouldActAsTheSubjectWhoeverSchedules() throws Exception {
        Subject subject = new Subject();
        subject.getPublicCredentials().add("a token");
        CompletableFuture<Subject> seen = new CompletableFuture<>();
        try (DutyScheduler timers = new DutyScheduler(subject, (thread, failure) -> {})) {
            timers.duty("look", () -> seen.complete(ReqContext.currentSubject()))
                    .soon();
            assertThat(seen.get(LIMIT_SECS, TimeUnit.SECONDS).getPublicCredentials())
                    .contains("a token");
        }
    }

    @Test
    void shouldHaveNoDutiesOnceClosed() {
        AtomicInteger done = new AtomicInteger();
        DutyScheduler timers = new DutyScheduler(new Subject(), (thread, failure) -> {});
        timers.close();
        DutyScheduler.Duty duty = timers.duty("nothing", done::incrementAndGet);
        duty.soon();
        duty.every(1);
        duty.in(0);
        assertThat(done).hasValue(0);
    }
}
