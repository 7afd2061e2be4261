package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.AccessController;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

final class TimersTest {
    private static final long LIMIT_SECS = 60;

    @Test
    void shouldTryAgainWhateverADutyThrows() throws InterruptedException {
        CountDownLatch third = new CountDownLatch(3);
        try (Timers timers = new Timers(new Subject(), (thread, failure) -> {})) {
            timers.every("fail", 1, () -> {
                third.countDown();
                throw new AssertionError("always");
            });
            assertThat(third.await(LIMIT_SECS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldTellOfWhatNobodySurvives() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        try (Timers timers = new Timers(new Subject(), (thread, failure) -> told.complete(failure))) {
            timers.soon("find memory", () -> {
                throw new OutOfMemoryError("for the test");
            });
            assertThat(told.get(LIMIT_SECS, TimeUnit.SECONDS)).hasMessage("for the test");
        }
    }

    @Test
    @SuppressWarnings("removal") // this is how Storm's clients find who they act as
    void shouldActAsTheSubjectWhoeverSchedules() throws Exception {
        Subject subject = new Subject();
        subject.getPublicCredentials().add("a token");
        CompletableFuture<Subject> seen = new CompletableFuture<>();
        try (Timers timers = new Timers(subject, (thread, failure) -> {})) {
            timers.soon("look", () -> seen.complete(Subject.getSubject(AccessController.getContext())));
            assertThat(seen.get(LIMIT_SECS, TimeUnit.SECONDS).getPublicCredentials())
                    .contains("a token");
        }
    }

    @Test
    void shouldHaveNoDutiesOnceClosed() {
        AtomicInteger done = new AtomicInteger();
        Timers timers = new Timers(new Subject(), (thread, failure) -> {});
        timers.close();
        timers.soon("nothing", done::incrementAndGet);
        timers.every("nothing", 1, done::incrementAndGet);
        timers.in("nothing", 0, done::incrementAndGet);
        assertThat(done).hasValue(0);
    }
}
