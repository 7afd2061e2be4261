package io.updraft.storm.legacy.bridge;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.spout.IPartitionedTridentSpout;
import org.apache.storm.trident.spout.ISpoutPartition;
import org.apache.storm.trident.topology.TransactionAttempt;

/**
 * The emitter of a partitioned Trident spout of Storm 0.9, which emits one partition at a time.
 *
 * @param <S> the description of all partitions
 * @param <P> a partition
 * @param <M> the metadata of a batch of a partition
 */
public interface LegacyPartitionEmitter<S, P extends ISpoutPartition, M>
        extends IPartitionedTridentSpout.Emitter<S, P, M> {

    /**
     * Emits the next batch of a partition.
     *
     * @param attempt the batch
     * @param collector receives the tuples
     * @param partition the partition
     * @param last the metadata of the batch before
     * @return the metadata of this batch
     */
    M emitPartitionBatchNew(TransactionAttempt attempt, TridentCollector collector, P partition, M last);

    /**
     * Emits a batch of a partition again.
     *
     * @param attempt the batch
     * @param collector receives the tuples
     * @param partition the partition
     * @param metadata the metadata of this batch
     */
    void emitPartitionBatch(TransactionAttempt attempt, TridentCollector collector, P partition, M metadata);

    @Override
    default Map<P, M> emitBatchNew(
            TransactionAttempt attempt, TridentCollector collector, Set<P> partitions, Map<P, M> last) {
        Map<P, M> metadata = new HashMap<>();
        for (P partition : partitions) {
            metadata.put(partition, emitPartitionBatchNew(attempt, collector, partition, last.get(partition)));
        }
        return metadata;
    }

    @Override
    default void reEmitPartitionBatch(TransactionAttempt attempt, TridentCollector collector, P partition, M metadata) {
        emitPartitionBatch(attempt, collector, partition, metadata);
    }
}
