package io.updraft.kafka.sink;

import io.updraft.kafka.unit.FencedException;
import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitCoordinator;
import io.updraft.kafka.unit.UnitListener;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.kafka.unit.WorkUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A coordinator that owns unit 0 or does not. It may be between two generations for some requests. */
final class OneUnitCoordinator implements UnitCoordinator {

    static final UnitOwnership OWNED = new UnitOwnership(new WorkUnit(0), 1);
    static final List<UnitCommit> UNITS =
            List.of(new UnitCommit(OWNED, new UnitProgress(Map.of(new UnitPartition("c", "t", 0), 5L), "m")));

    /** As a consumer has it that is no member. */
    static final ConsumerGroupMetadata GROUP = new MockConsumer<byte[], byte[]>("earliest").groupMetadata();

    boolean owned = true;
    int refusals;
    String life = "first life";

    @Override
    public TransactionOffsets transactionOffsets(List<UnitCommit> commits) {
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
    public CompletableFuture<Map<UnitPartition, Long>> positions() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String transactionalId() {
        return life;
    }

    @Override
    public void join(UnitListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> commit(List<UnitCommit> commits) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
