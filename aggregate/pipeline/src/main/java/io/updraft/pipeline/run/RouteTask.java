package io.updraft.pipeline.run;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.kafka.router.Router;
import io.updraft.kafka.sink.RecordRefusals;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.TerminalText;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Decodes chunks and sends their rows, or the original records, to the router. Reports which chunks the brokers have stored,
 * and the committed position. One thread calls it; deliveries come on the threads of the producers.
 */
final class RouteTask implements RowHandler {

    private static final Duration WAIT_STEP = Duration.ofMillis(50);
    /** The length of the beginning of a refused record in a message. */
    private static final int HEAD_BYTES = 300;

    public interface ProgressListener {
        /** Reports that all rows of a chunk are stored. Called on any thread. */
        void written(Partition partition, long from);

        /** Reports that a record can never be stored, before its chunk counts as stored. Called on the thread of the task. */
        void refused(Partition partition, long from, long position, String reason);

        /** Commits positions before which all records of partitions are stored. Called on the thread of the task. */
        void commit(Map<Partition, PartitionPosition> positions);
    }

    private final int index;
    private final RunPlan.Settings settings;
    private final boolean rows;
    private final Router router;
    private final Decoder decoder;
    private final RouteText text;
    private final TaskCounters counters;
    private final ProgressListener progress;
    private final LongSupplier clock;
    private final SinkRetries retries;
    private final BooleanSupplier givenUp;
    private final Map<Partition, PartitionWrites> partitions = new HashMap<>();
    /** Pieces with a dead letter that may not be durable yet. */
    private final Queue<PartitionWrites.ChunkWrite> chunksWithDeadLetters = new ArrayDeque<>();
    /** The records that the brokers have refused. The threads of producers add to it. */
    private final Queue<RefusedRecord> refused = new ConcurrentLinkedQueue<>();

    private long nextAlarm;

    private Chunk chunk;

    private PartitionWrites writes;
    private PartitionWrites.ChunkWrite piece;
    private boolean hasRejected;

    /** Creates a task. Once {@code givenUp} returns true, it no longer waits for capacity of the router, but throws. */
    public RouteTask(
            int index,
            RunPlan.Routing plan,
            TaskCounters counters,
            ProgressListener progress,
            LongSupplier clock,
            SinkRetries retries,
            BooleanSupplier givenUp) {
        this.index = index;
        this.settings = plan.settings();
        this.rows = plan.rows();
        this.router = plan.router();
        this.decoder = settings.decoders().get();
        this.text = new RouteText(plan.schema(), plan.key());
        this.counters = counters;
        this.progress = progress;
        this.clock = clock;
        this.retries = retries;
        this.givenUp = givenUp;
    }

    public void handle(TaskInput input) {
        if (input instanceof TaskInput.SourceEnded) {
            end();
            return;
        }
        TaskInput.OfPartition partitionInput = (TaskInput.OfPartition) input;
        Partition partition = partitionInput.partition();
        if (partitionInput.event() instanceof RecordSource.Event.Opened opened) {
            partitions.computeIfAbsent(
                    partition,
                    opening ->
                            new PartitionWrites(opening, opened.position(), from -> progress.written(opening, from)));
        } else if (partitionInput.event() instanceof RecordSource.Event.Revoked) {
            drop(partition);
        } else if (partitions.containsKey(partition)) {
            handle(partitions.get(partition), partitionInput.event());
        } else if (partitionInput.event() instanceof Chunk chunk) {
            chunk.release(); // read before the partition was revoked
        }
    }

    private void handle(PartitionWrites writes, SourceEvent event) {
        if (event instanceof Chunk chunk) {
            route(writes, chunk);
        } else if (event instanceof RecordSource.Event.Rejected rejected) {
            PartitionWrites.ChunkWrite only = writes.begin(rejected.position(), rejected.to(), clock.getAsLong());
            counters.read(1, 0);
            reject(writes, rejected.position(), rejected.head(), 0, rejected.head().length, rejected.reason());
            chunksWithDeadLetters.add(only);
        }
    }

    /** Drops a revoked partition. Records in flight may still be stored, and the next owner stores them again: at least once. */
    private void drop(Partition partition) {
        partitions.remove(partition);
        boolean last =
                partitions.keySet().stream().noneMatch(other -> other.share().equals(partition.share()));
        if (last && partition.share().ownership() != null) {
            partition.share().ownership().released();
        }
    }

    private void route(PartitionWrites chunkWrites, Chunk records) {
        chunk = records;
        writes = chunkWrites;
        hasRejected = false;
        piece = writes.begin(records.from(), records.to(), clock.getAsLong());
        counters.read(decoder.decode(records, this), records.length());
        counters.publish();
        records.release();
        piece.finish();
    }

    @Override
    public void row(RecordRow row, long position, long time) {
        counters.row();
        byte[] value = rows ? text.row(row) : record();
        send(text.key(row), value, position);
    }

    private void send(byte[] key, byte[] value, long position) {
        RecordDelivery delivery = new RecordDelivery(this, writes.partition.name(), piece, position, value);
        piece.begin();
        while (!router.send(key, value, delivery)) {
            awaitCapacity(key.length + value.length);
        }
    }

    private void awaitCapacity(int bytes) {
        try {
            while (!router.awaitRoom(bytes, WAIT_STEP)) {
                if (givenUp.getAsBoolean()) {
                    throw new IllegalStateException("no cluster accepts the records of " + writes.partition.name()
                            + " from position " + writes.done() + " on; they are not committed");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + writes.partition.name() + " waited for brokers", e);
        }
    }

    /** Handles the outcome of a record, on a thread of a producer. */
    private record RecordDelivery(
            RouteTask task, String name, PartitionWrites.ChunkWrite chunk, long position, byte[] value)
            implements Router.Listener {
        @Override
        public void onDelivered(String target, int partition, long offset) {
            chunk.finish();
        }

        @Override
        public void onFailed(Exception cause) {
            if (RecordRefusals.isRefusal(cause)) {
                // No cluster will ever accept it. Failures by a closed router do not make a record done.
                task.settings.rejected().reject(name, position, value, 0, value.length, cause.getMessage());
                task.refused.add(new RefusedRecord(chunk, position, cause.getMessage(), head(value, 0, value.length)));
            }
        }
    }

    /** A record that no cluster will ever accept. */
    private record RefusedRecord(PartitionWrites.ChunkWrite chunk, long position, String reason, String head) {}

    /** Returns the beginning of a record, for messages. */
    private static String head(byte[] bytes, int from, int length) {
        String text = new String(bytes, from, Math.min(length, HEAD_BYTES), StandardCharsets.UTF_8);
        return TerminalText.show(length > HEAD_BYTES ? text + "..." : text, HEAD_BYTES);
    }

    private byte[] record() {
        int from = decoder.recordFrom();
        return Arrays.copyOfRange(chunk.bytes(), from, from + decoder.recordLength());
    }

    @Override
    public void rejected(long position, byte[] bytes, int from, int length, String reason) {
        reject(writes, position, bytes, from, length, reason);
        progress.refused(writes.partition, piece.from(), position, head(bytes, from, length) + ": " + reason);
        if (!hasRejected) {
            hasRejected = true;
            piece.begin();
            chunksWithDeadLetters.add(piece);
        }
    }

    private void reject(PartitionWrites writes, long position, byte[] bytes, int from, int length, String reason) {
        counters.rejected(writes.partition.name(), position, reason);
        settings.rejected().reject(writes.partition.name(), position, bytes, from, length, reason);
    }

    /** Makes dead letters durable. Their records are done then, as others are once brokers have stored them. */
    private void flushDeadLetters() {
        takeRefused();
        List<PartitionWrites.ChunkWrite> before = List.copyOf(chunksWithDeadLetters);
        chunksWithDeadLetters.clear();
        try {
            retries.run(wait -> settings.rejected().flush(), "Writing dead letters");
        } catch (SinkException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while dead letters were written", e);
        }
        before.forEach(PartitionWrites.ChunkWrite::finish);
    }

    /** Counts the records that the brokers have refused, on the thread of the counters. */
    private void takeRefused() {
        for (RefusedRecord each = refused.poll(); each != null; each = refused.poll()) {
            Partition partition = each.chunk().partition();
            counters.rejected(partition.name(), each.position(), each.reason());
            progress.refused(partition, each.chunk().from(), each.position(), each.head() + ": " + each.reason());
            chunksWithDeadLetters.add(each.chunk());
        }
    }

    /** Commits positions and reports partitions that wait too long. Called about once a second. */
    public void tick() {
        flushDeadLetters();
        commit(false);
        alarm(clock.getAsLong());
        counters.publish();
    }

    /** Commits all partitions of a share together, since a coordinator stores them together. */
    private void commit(boolean ended) {
        UnusableRecords unusable = settings.unusable();
        unusable.add(counters.takeUsed());
        unusable.warn(clock.getAsLong(), ended);
        if (!settings.track() || unusable.holdsPositions()) {
            return;
        }
        Set<Partition.Share> moved = new HashSet<>();
        partitions.values().stream()
                .filter(PartitionWrites::takeAdvanced)
                .forEach(writes -> moved.add(writes.partition.share()));
        partitions.values().stream()
                .filter(writes -> moved.contains(writes.partition.share()))
                .forEach(this::commit);
        // Partitions that have ended are forgotten after a last commit: their end may not have been known before.
        partitions.values().removeIf(writes -> {
            boolean over = writes.isDone() && writes.partition.isOver(writes.done());
            if (over) {
                commit(writes);
            }
            return over;
        });
    }

    private void commit(PartitionWrites writes) {
        progress.commit(Map.of(
                writes.partition, new PartitionPosition(writes.partition.name(), writes.done(), Long.MIN_VALUE)));
    }

    private void alarm(long now) {
        long limit = settings.alarm().toMillis();
        if (limit == 0 || now < nextAlarm) {
            return;
        }
        nextAlarm = now + Math.max(1_000, limit / 4);
        for (PartitionWrites writes : partitions.values()) {
            long since = writes.waitingSince();
            if (since != Long.MAX_VALUE && now - since > limit) {
                String line = "route task " + index + ": " + writes.partition.name() + " position " + writes.done()
                        + " has not been stored by any cluster for " + (now - since) / 1_000 + " s";
                counters.alarm(writes.partition.name(), now - since, line);
            }
        }
    }

    /** Waits until all records in the router are stored, or given up. */
    private void end() {
        awaitWritten();
        flushDeadLetters();
        commit(true);
        counters.publish();
    }

    private void awaitWritten() {
        try {
            while (!partitions.values().stream().allMatch(PartitionWrites::isDone) && !givenUp.getAsBoolean()) {
                flushDeadLetters();
                router.flush(WAIT_STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
