package io.updraft.storm.legacy.bridge;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.trident.spout.IOpaquePartitionedTridentSpout;
import org.apache.storm.trident.spout.IPartitionedTridentSpout;
import org.apache.storm.trident.spout.ISpoutPartition;
import org.apache.storm.trident.topology.TransactionAttempt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/** Interfaces of Storm 0.9 to which Storm 2 has added methods. Converted classes implement these in place of their first parent. */
public final class LegacyTypes {
    private LegacyTypes() {}

    /** A scheme of Storm 0.9, which gets arrays. */
    public interface Scheme extends org.apache.storm.spout.Scheme {

        /** Returns the values of a tuple. */
        List<Object> deserialize(byte[] bytes);

        @Override
        default List<Object> deserialize(ByteBuffer message) {
            return deserialize(Utils.toByteArray(message));
        }
    }

    /** A scheme of Storm 0.9 that makes several tuples of a message, which gets arrays. */
    public interface MultiScheme extends org.apache.storm.spout.MultiScheme {

        /** Returns the values of each tuple. */
        Iterable<List<Object>> deserialize(byte[] bytes);

        @Override
        default Iterable<List<Object>> deserialize(ByteBuffer message) {
            return deserialize(Utils.toByteArray(message));
        }
    }

    /** A collector of a bolt that was written for Storm 0.9, which had no batches to flush and fixed timeouts. */
    public interface OutputCollector extends IOutputCollector {

        @Override
        default void resetTimeout(Tuple tuple) {}

        @Override
        default void flush() {}
    }

    /** A collector of a spout that was written for Storm 0.9, which had no batches to flush and did not count what is in flight. */
    public interface SpoutOutputCollector extends ISpoutOutputCollector {

        @Override
        default long getPendingCount() {
            return 0;
        }

        @Override
        default void flush() {}
    }

    /** A collector of Trident that was written for Storm 0.9, which had no batches to flush. */
    public interface TridentCollector extends org.apache.storm.trident.operation.TridentCollector {

        @Override
        default void flush() {}
    }

    /** The emitter of a partitioned Trident spout of Storm 0.9, which emits one partition at a time. */
    public interface PartitionEmitter<S, P extends ISpoutPartition, M>
            extends IPartitionedTridentSpout.Emitter<S, P, M> {

        /** Emits the next batch of a partition. */
        M emitPartitionBatchNew(
                TransactionAttempt attempt,
                org.apache.storm.trident.operation.TridentCollector collector,
                P partition,
                M last);

        /** Emits a batch of a partition again. */
        void emitPartitionBatch(
                TransactionAttempt attempt,
                org.apache.storm.trident.operation.TridentCollector collector,
                P partition,
                M metadata);

        @Override
        default Map<P, M> emitBatchNew(
                TransactionAttempt attempt,
                org.apache.storm.trident.operation.TridentCollector collector,
                Set<P> partitions,
                Map<P, M> last) {
            Map<P, M> metadata = new HashMap<>();
            for (P partition : partitions) {
                metadata.put(partition, emitPartitionBatchNew(attempt, collector, partition, last.get(partition)));
            }
            return metadata;
        }

        @Override
        default void reEmitPartitionBatch(
                TransactionAttempt attempt,
                org.apache.storm.trident.operation.TridentCollector collector,
                P partition,
                M metadata) {
            emitPartitionBatch(attempt, collector, partition, metadata);
        }
    }

    /** The emitter of an opaque partitioned Trident spout of Storm 0.9, which emits one partition at a time. */
    public interface OpaqueEmitter<S, P extends ISpoutPartition, M>
            extends IOpaquePartitionedTridentSpout.Emitter<S, P, M> {

        /** Emits the next batch of a partition. */
        M emitPartitionBatch(
                TransactionAttempt attempt,
                org.apache.storm.trident.operation.TridentCollector collector,
                P partition,
                M last);

        @Override
        default Map<P, M> emitBatchNew(
                TransactionAttempt attempt,
                org.apache.storm.trident.operation.TridentCollector collector,
                Set<P> partitions,
                Map<P, M> last) {
            Map<P, M> metadata = new HashMap<>();
            for (P partition : partitions) {
                metadata.put(partition, emitPartitionBatch(attempt, collector, partition, last.get(partition)));
            }
            return metadata;
        }
    }
}
