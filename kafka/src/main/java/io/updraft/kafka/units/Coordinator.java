package io.updraft.kafka.units;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Shares work units among the processes that join under one group name. Counts per process are within one of each other;
 * when a process comes or goes, at most those units move that must; no unit has two owners at a time.
 *
 * <p>Thread-safe. A coordinator is joined once and left once.
 */
public interface Coordinator extends AutoCloseable {

    /**
     * Asks for a share of the work; returns at once.
     *
     * @param listener told what is owned, from threads of the coordinator
     */
    void join(UnitsListener listener);

    /**
     * Writes down how far units have come, all or none of those that are kept in one place.
     *
     * @param commits at most one per ownership
     * @return completes when it is durable; with {@link FencedException} if any of the ownerships is over, and with
     *     Kafka's or ZooKeeper's exception if it is not known whether it is durable, after which the same may be
     *     committed again
     */
    CompletableFuture<Void> commit(List<UnitCommit> commits);

    /**
     * The same as offsets that a Kafka producer adds to its transaction, so that results and progress are one thing. The
     * broker refuses them if an ownership has ended by the time it gets them.
     *
     * @param commits at most one per ownership
     * @return to be given to {@code Producer.sendOffsetsToTransaction} soon
     * @throws FencedException if any of the ownerships is over
     * @throws org.apache.kafka.clients.consumer.CommitFailedException if it cannot be told just now; ask again soon
     */
    TransactionOffsets transactionOffsets(List<UnitCommit> commits);

    /**
     * Asks how far the group has come, whoever owns the units: the offset to read next of each partition of which one was committed. One
     * that is being committed in a transaction may be missing.
     *
     * @return fails if that is not to be had now, after which it may be asked for again
     */
    CompletableFuture<Map<UnitPartition, Long>> positions();

    /**
     * The {@code transactional.id} for this process's producer: other processes shut that id out before they take over
     * units of a process that died, which is what makes a zombie's transaction fail. A process that was taken for dead begins
     * a new life, with another id, and nobody shuts out the earlier one for the sake of what is owned in the new life: see
     * {@link TransactionOffsets#transactionalId}.
     *
     * @return unique to this life of the process
     */
    String transactionalId();

    /**
     * Lets go of everything ({@code onRevoked} of all that is owned, then waits for it) and leaves, so that others take
     * over at once. Does nothing if not joined.
     */
    void leave();

    /** Leaves, if not done yet, and frees threads and connections. */
    @Override
    void close();

    /**
     * Offsets for one transaction.
     *
     * @param offsets by partition, with the unit's metadata
     * @param group who commits them, as the broker checks it
     * @param transactionalId of the one producer that may add them: the id that is shut out when these ownerships end. A
     *     producer with another id, of an earlier life, would not be, and must be replaced
     */
    record TransactionOffsets(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group, String transactionalId) {}
}
