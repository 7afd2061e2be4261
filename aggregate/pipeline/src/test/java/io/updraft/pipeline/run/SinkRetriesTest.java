package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.pipeline.connector.SinkException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SinkRetriesTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final List<String> stuck = new CopyOnWriteArrayList<>();
    private Thread watch;

    @AfterEach
    void endWatch() throws Exception {
        if (watch != null) {
            watch.interrupt();
            watch.join();
        }
    }

    @Test
    void shouldEndAtOnceWhatHasFailedBeforeWhenTheRunIsToEnd() {
        StopRequest stop = watched(new StopRequest(LONG));
        CountDownLatch second = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Void> request = CompletableFuture.runAsync(() -> {
            await(second);
            stop.request();
        });
        assertThatThrownBy(() -> retries(stop, null)
                        .run(
                                wait -> {
                                    if (attempts.incrementAndGet() == 1) {
                                        throw SinkException.passing("it is away", null);
                                    }
                                    second.countDown();
                                    block();
                                },
                                "Writing"))
                .isInstanceOf(SinkException.class)
                .hasMessageMatching("it is away, for \\d+ s");
        request.join();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldEndWhatStandsStillForTooLongAfterTheRunIsToEnd() {
        StopRequest stop = watched(new StopRequest(Duration.ofMillis(100)));
        stop.request();
        assertThatThrownBy(() -> retries(stop, null).run(wait -> block(), "Writing"))
                .isInstanceOf(SinkException.class)
                .hasMessageMatching("Writing makes no progress, for \\d+ s");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldLetWhatGetsOnComeToItsEnd() throws Exception {
        StopRequest stop = watched(new StopRequest(Duration.ofSeconds(30)));
        stop.request();
        AtomicInteger rows = new AtomicInteger();
        retries(stop, null)
                .run(
                        wait -> {
                            for (int i = 0; i < 50; i++) {
                                LockSupport.parkNanos(10_000_000);
                                rows.incrementAndGet();
                                wait.progress();
                            }
                        },
                        "Writing");
        assertThat(rows).hasValue(50);
    }

    @Test
    void shouldGiveUpWhatFailsForTooLong() {
        StopRequest stop = watched(new StopRequest(LONG));
        assertThatThrownBy(() -> retries(stop, Duration.ofMillis(300))
                        .run(
                                wait -> {
                                    throw SinkException.passing("it is away", null);
                                },
                                "Writing"))
                .isInstanceOf(SinkException.class)
                .hasMessageMatching("it is away, for \\d+ s; the limit 'give_up' is reached");
    }

    @Test
    void shouldGiveUpWhatDoesNotComeBack() {
        StopRequest stop = watched(new StopRequest(LONG));
        assertThatThrownBy(() -> retries(stop, Duration.ofMillis(300)).run(wait -> block(), "Writing"))
                .isInstanceOf(SinkException.class)
                .hasMessageMatching("Writing makes no progress, for \\d+ s; the limit 'give_up' is reached");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldTellOfWhatNoInterruptEnds() throws Exception {
        StopRequest stop = watched(new StopRequest(Duration.ofMillis(1), Duration.ofMillis(100)));
        stop.request();
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                retries(stop, null).run(wait -> await(end), "Writing");
            } catch (SinkException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until("it is told", () -> !stuck.isEmpty());
        assertThat(stuck).containsExactly("Writing makes no progress and cannot be interrupted");
        end.countDown();
        writing.join();
    }

    private StopRequest watched(StopRequest stop) {
        watch = new Thread(() -> stop.watch(stuck::add));
        watch.start();
        return stop;
    }

    private static SinkRetries retries(StopRequest stop, Duration giveUp) {
        return new SinkRetries(stop, giveUp, 1, () -> {});
    }

    /** Until the thread is interrupted: as a sink that tells its caller in its own words. */
    private static void block() throws SinkException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SinkException.passing("interrupted", e);
        }
    }

    /** Takes no notice of interrupts. */
    private static void await(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
