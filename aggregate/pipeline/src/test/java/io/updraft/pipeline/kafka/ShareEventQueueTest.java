package io.updraft.pipeline.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.share.Share;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ShareEventQueueTest {

    @Test
    void shouldLetGoOfSharesOnlyWhenThatIsAnswered() {
        ShareEventQueue events = new ShareEventQueue(shares -> Map.of());
        CompletableFuture<Void> all = revoke(events, 1, 2);
        List<ShareEventQueue.ShareEvent> reported = events.take();
        ((ShareEventQueue.ShareEvent.Revoked) reported.get(0)).done().complete(null);
        assertThat(all).isNotDone();
        ((ShareEventQueue.ShareEvent.Revoked) reported.get(1)).done().complete(null);
        assertThat(all).isCompleted();
    }

    @Test
    void shouldLetGoOfSharesAtOnceWhenNobodyReadsAnyMore() {
        ShareEventQueue events = new ShareEventQueue(shares -> Map.of());
        CompletableFuture<Void> unread = revoke(events, 1);
        CompletableFuture<Void> read = revoke(events, 2);
        assertThat(events.take()).hasSize(2);
        events.close(true);
        assertThat(unread).isCompleted();
        assertThat(read).isCompleted();
        assertThat(revoke(events, 3)).isCompleted();
    }

    @Test
    void shouldSayThatSomethingOfTheSharesMayBeOnItsWay() {
        ShareEventQueue events = new ShareEventQueue(shares -> Map.of());
        CompletableFuture<Void> before = revoke(events, 1);
        events.close(false);
        assertThat(before).isCompletedExceptionally();
        assertThat(revoke(events, 2)).isCompletedExceptionally();
    }

    private static CompletableFuture<Void> revoke(ShareEventQueue events, int... shares) {
        List<Share.Ownership> all = Arrays.stream(shares)
                .mapToObj(share -> new Share.Ownership(new Share(share), 1))
                .toList();
        return events.onRevoked(all, "a test").toCompletableFuture();
    }
}
