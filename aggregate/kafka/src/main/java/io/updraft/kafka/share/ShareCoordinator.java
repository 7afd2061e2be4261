package io.updraft.kafka.share;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Distributes shares among the processes that join one group. The numbers of shares per process differ by one at most. When a
 * process joins or leaves, as few shares as possible move. No share has two owners at a time.
 *
 * <p>Thread-safe. A coordinator is joined once and closed once.
 */
public interface ShareCoordinator extends AutoCloseable {

    /**
     * Joins the group. Returns immediately.
     *
     * @param listener receives assignments, from threads of the coordinator
     */
    void join(Listener listener);

    /**
     * Commits the progress of shares. Commits that are stored in one place succeed or fail together.
     *
     * @return completes when the progress is durable; fails with {@link FencedException} if any of the ownerships has ended;
     *     fails with Kafka's or ZooKeeper's exception if the outcome is unknown, after which the same progress may be committed
     *     again
     */
    CompletableFuture<Void> commit(List<Share.Commit> commits);

    /**
     * Converts progress to offsets that a Kafka producer adds to its transaction, so that results and progress commit together.
     * The broker refuses the offsets if an ownership has ended when it receives them.
     *
     * @return the arguments for {@code Producer.sendOffsetsToTransaction}, to be used soon
     * @throws FencedException if any of the ownerships has ended
     * @throws org.apache.kafka.clients.consumer.CommitFailedException if the state of the group is unknown at the moment; retry
     *     soon
     */
    TransactionOffsets transactionOffsets(List<Share.Commit> commits);

    /**
     * Returns the committed positions of the group, independent of who owns the shares: the next offset of each partition with a
     * committed offset. A partition whose offset is being committed in a transaction may be missing.
     *
     * @return fails if the positions are not available now; retry later
     */
    CompletableFuture<Map<ClusterPartition, Long>> positions();

    /**
     * Returns the {@code transactional.id} for the producer of this process. Before other processes take over shares of a dead
     * process, they fence its id, so a transaction of a zombie process fails. A process that was taken for dead begins a new
     * life with another id. Taking over shares of the new life does not fence the id of an earlier life: see
     * {@link TransactionOffsets#transactionalId}.
     *
     * @return an id that is unique to this life of the process
     */
    String transactionalId();

    /**
     * Releases all shares and leaves the group, so that others take over at once. Calls {@code onRevoked} with all owned shares
     * and waits for its result. Frees threads and connections. Does nothing if the group was not joined.
     */
    @Override
    void close();

    /**
     * Offsets for one transaction.
     *
     * @param offsets the offset by partition, with the share's metadata
     * @param group the committing member, as the broker checks it
     * @param transactionalId the id of the only producer that may add the offsets; it is fenced when these ownerships end. A
     *     producer of an earlier life has another id, would not be fenced, and must be replaced
     */
    record TransactionOffsets(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group, String transactionalId) {}

    /**
     * Receives the assignments of this process. Calls come one at a time, from a thread of the coordinator. For each ownership the
     * order is {@code onAssigned}, then perhaps {@code onRevoked}, and then {@code onLost} unless the share was released in time. A
     * call must return soon, and must not wait for a commit.
     */
    interface Listener {

        /**
         * Assigns shares to this process. The listener reads each of their partitions from its committed position.
         *
         * @param shares the newly owned shares; never empty
         */
        void onAssigned(List<Share.Assigned> shares);

        /**
         * Revokes shares. Another process gets them, and starts after this process has released them. The listener stops reading,
         * finishes or drops records in flight, commits, and then completes the result. Commits of these ownerships are accepted
         * until then. If that takes longer than the coordinator's patience, {@code onLost} is the next call for the shares.
         *
         * @param shares the shares to release; never empty
         * @param reason why, as far as that is known, in one line
         * @return completes, on any thread, when this process no longer works on the shares; completes exceptionally if their end
         *     cannot be determined, and they are then lost at once, as if the release had taken too long
         */
        CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason);

        /**
         * Reports lost shares. Another process may own them already, because a session ended or the release took too long. The
         * listener drops all work on them now; commits of these ownerships are refused.
         *
         * @param shares the lost shares; never empty
         * @param reason why, in one line
         */
        void onLost(List<Share.Ownership> shares, String reason);

        /**
         * Reports that the coordinator has failed. It has called {@code onLost} for the owned shares, and makes no further call. The
         * coordinator waits for brokers and networks that are away for a while, and does not report them here.
         *
         * @param cause one line that says what is wrong and what to do
         */
        void onFailed(Throwable cause);
    }
}
