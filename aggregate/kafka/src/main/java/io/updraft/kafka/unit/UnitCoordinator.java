package io.updraft.kafka.unit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Shares work units among the processes that join one group. The numbers of units per process differ by one at most. When a
 * process joins or leaves, as few units as possible move. No unit has two owners at a time.
 *
 * <p>Thread-safe. A coordinator is joined once and closed once.
 */
public interface UnitCoordinator extends AutoCloseable {

    /**
     * Joins the group. Returns immediately.
     *
     * @param listener receives assignments, from threads of the coordinator
     */
    void join(UnitListener listener);

    /**
     * Commits the progress of units. Commits that are stored in one place succeed or fail together.
     *
     * @return completes when the progress is durable; fails with {@link FencedException} if any of the ownerships has ended;
     *     fails with Kafka's or ZooKeeper's exception if the outcome is unknown, after which the same progress may be committed
     *     again
     */
    CompletableFuture<Void> commit(List<UnitCommit> commits);

    /**
     * Converts progress to offsets that a Kafka producer adds to its transaction, so that results and progress commit together.
     * The broker refuses the offsets if an ownership has ended when it receives them.
     *
     * @return the arguments for {@code Producer.sendOffsetsToTransaction}, to be used soon
     * @throws FencedException if any of the ownerships has ended
     * @throws org.apache.kafka.clients.consumer.CommitFailedException if the state of the group is unknown at the moment; retry
     *     soon
     */
    TransactionOffsets transactionOffsets(List<UnitCommit> commits);

    /**
     * Returns the committed positions of the group, independent of who owns the units: the next offset of each partition with a
     * committed offset. A partition whose offset is being committed in a transaction may be missing.
     *
     * @return fails if the positions are not available now; retry later
     */
    CompletableFuture<Map<UnitPartition, Long>> positions();

    /**
     * Returns the {@code transactional.id} for the producer of this process. Before other processes take over units of a dead
     * process, they fence its id, so a transaction of a zombie process fails. A process that was taken for dead begins a new
     * life with another id. Taking over units of the new life does not fence the id of an earlier life: see
     * {@link TransactionOffsets#transactionalId}.
     *
     * @return an id that is unique to this life of the process
     */
    String transactionalId();

    /**
     * Releases all units and leaves the group, so that others take over at once. Calls {@code onRevoked} with all owned units
     * and waits for its result. Frees threads and connections. Does nothing if the group was not joined.
     */
    @Override
    void close();

    /**
     * Offsets for one transaction.
     *
     * @param offsets the offset by partition, with the unit's metadata
     * @param group the committing member, as the broker checks it
     * @param transactionalId the id of the only producer that may add the offsets; it is fenced when these ownerships end. A
     *     producer of an earlier life has another id, would not be fenced, and must be replaced
     */
    record TransactionOffsets(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group, String transactionalId) {}
}
