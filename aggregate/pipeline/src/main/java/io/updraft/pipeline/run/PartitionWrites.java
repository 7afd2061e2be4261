package io.updraft.pipeline.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * The chunks of a partition that wait for brokers, and the position up to which all chunks are written. The route task begins
 * chunks, any thread finishes them.
 */
final class PartitionWrites {

    /** A chunk. It is done when its decoding and all records that were begun are finished. */
    final class ChunkWrite {
        private final long from;
        private final long to;
        private final long since;
        private int open = 1;

        private ChunkWrite(long from, long to, long since) {
            this.from = from;
            this.to = to;
            this.since = since;
        }

        /** Returns the position of its first record. */
        long from() {
            return from;
        }

        Partition partition() {
            return partition;
        }

        void begin() {
            synchronized (PartitionWrites.this) {
                open++;
            }
        }

        /** Finishes a record of the chunk, which was written or will never be sent; or finishes the decoding. */
        void finish() {
            synchronized (PartitionWrites.this) {
                if (--open > 0) {
                    return;
                }
                // Called first: a thread that sees all chunks done must find that this was reported.
                whenDone.accept(from);
                while (!pieces.isEmpty() && pieces.peekFirst().open == 0) {
                    done = pieces.removeFirst().to;
                }
            }
        }
    }

    final Partition partition;
    private final LongConsumer whenDone;
    private final Deque<ChunkWrite> pieces = new ArrayDeque<>();
    private long done;
    private long reported;

    /**
     * Creates the writes of a partition that is read from a position on. {@code whenDone} receives the position where a chunk begins
     * once it is done, on the thread that finished it, which holds the lock of the partition.
     */
    PartitionWrites(Partition partition, long position, LongConsumer whenDone) {
        this.partition = partition;
        this.whenDone = whenDone;
        done = position;
        reported = position;
    }

    /** Begins a chunk; chunks begin in order. */
    synchronized ChunkWrite begin(long from, long to, long now) {
        ChunkWrite piece = new ChunkWrite(from, to, now);
        pieces.addLast(piece);
        return piece;
    }

    /** Returns the position before which all records have been written. */
    synchronized long done() {
        return done;
    }

    /** Returns whether {@link #done} has advanced since the last call. */
    synchronized boolean takeAdvanced() {
        boolean further = done != reported;
        reported = done;
        return further;
    }

    /** Returns since when the first unfinished chunk has waited, in milliseconds since 1970; MAX_VALUE if all are done. */
    synchronized long waitingSince() {
        return pieces.isEmpty() ? Long.MAX_VALUE : pieces.peekFirst().since;
    }

    synchronized boolean isDone() {
        return pieces.isEmpty();
    }
}
