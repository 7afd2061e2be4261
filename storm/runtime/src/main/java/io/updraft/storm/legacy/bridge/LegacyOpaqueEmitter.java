package io.updraft.storm.legacy.bridge;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.spout.IOpaquePartitionedTridentSpout;
import org.apache.storm.trident.spout.ISpoutPartition;
import org.apache.storm.trident.topology.TransactionAttempt;

/**
 * The emitter of an opaque partitioned Trident spout of Storm 0.9, which emits one partition at a time.
 *
 * @param <S> the description of all partitions
 * @param <P> a partition
 * @param <M> the metadata of a batch of a partition
 */
public interface LegacyOpaqueEmitter<S, P extends ISpoutPartition, M>
        extends IOpaquePartitionedTridentSpout.Emitter<S, P, M> {

    /**
     * Emits the next batch of a partition.
     *
     * @param attempt the batch
     * @param collector receives the tuples
     * @param partition the partition
     * @param last the metadata of the batch before
     * @return the metadata of this batch
     */
    M emitPartitionBatch(TransactionAttempt attempt, TridentCollector collector, P partition, M last);

    @Override
    default Map<P, M> emitBatchNew(
            TransactionAttempt attempt, TridentCollector collector, Set<P> partitions, Map<P, M> last) {
        Map<P, M> metadata = new HashMap<>();
        for (P partition : partitions) {
            metadata.put(partition, emitPartitionBatch(attempt, collector, partition, last.get(partition)));
        }
        return metadata;
    }
}
