package io.updraft.kafka.sink;

import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.FencedException;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A coordinator that owns share 0 or does not. It may be between two generations for some requests. */
final class OneShareCoordinator implements ShareCoordinator {

    static final Share.Ownership OWNED = new Share.Ownership(new Share(0), 1);
    static final List<Share.Commit> SHARES =
            List.of(new Share.Commit(OWNED, new Share.Progress(Map.of(new ClusterPartition("c", "t", 0), 5L), "m")));

    /** As a consumer has it that is no member. */
    static final ConsumerGroupMetadata GROUP = new MockConsumer<byte[], byte[]>("earliest").groupMetadata();

    boolean owned = true;
    int refusals;
    String life = "first life";

    @Override
    public TransactionOffsets transactionOffsets(List<Share.Commit> commits) {
        if (refusals > 0) {
            refusals--;
            throw new CommitFailedException("rebalancing");
        }
        if (!owned) {
            throw new FencedException(List.of(OWNED), "Too late.");
        }
        return new TransactionOffsets(Map.of(new TopicPartition("t", 0), new OffsetAndMetadata(5)), GROUP, life);
    }

    @Override
    public CompletableFuture<Map<ClusterPartition, Long>> positions() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String transactionalId() {
        return life;
    }

    @Override
    public void join(ShareCoordinator.Listener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> commit(List<Share.Commit> commits) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
