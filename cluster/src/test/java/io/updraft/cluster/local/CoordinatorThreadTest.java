package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CoordinatorThreadTest {
    private final CoordinatorThread owner = new CoordinatorThread("owner");

    @Test
    void shouldDoOneThingAfterTheOther() {
        StringBuilder done = new StringBuilder();
        owner.post(() -> done.append("a"));
        owner.post(() -> {
            throw new IllegalStateException("on purpose");
        });
        owner.post(() -> done.append("b"));
        assertThat(owner.call(done::toString)).isEqualTo("ab");
        owner.shutDown();
    }

    @Test
    void shouldTellWhatWentWrong() {
        assertThatThrownBy(() -> owner.call(() -> {
                    throw new IllegalArgumentException("no such worker");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such worker");
        owner.shutDown();
    }

    @Test
    void shouldAnswerThoseWhoStillWaitAtTheEnd() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        owner.post(() -> {
            busy.countDown();
            awaitUninterrupted(go);
        });
        busy.await();
        CompletableFuture<Integer> waiting = new CompletableFuture<>();
        Thread caller = new Thread(() -> waiting.complete(owner.call(() -> 7)));
        caller.start();
        Await.until("the caller waits", () -> caller.getState() == Thread.State.WAITING);
        owner.shutDown();
        assertThat(waiting).isNotDone();
        go.countDown();
        assertThat(waiting.get(50, TimeUnit.SECONDS)).isEqualTo(7);
    }

    @Test
    void shouldAnswerThoseWhoAskAfterTheEnd() {
        owner.shutDown();
        owner.post(() -> {});
        owner.postLater(() -> {}, 1);
        assertThat(owner.call(() -> 7)).isEqualTo(7);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
