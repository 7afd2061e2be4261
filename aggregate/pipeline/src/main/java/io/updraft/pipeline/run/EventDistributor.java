package io.updraft.pipeline.run;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/**
 * Distributes the events of the source to the tasks. If shares are aggregated on their own, each share stays
 * with one task: the one with the fewest shares when the share was opened. Otherwise the chunks of each partition go to the tasks in
 * turn, and all other events go to every task. Not thread-safe: one thread calls it.
 */
final class EventDistributor {

    private static final class OpenPartition {
        private final Partition partition;

        /** The task that gets the next chunk. */
        private int task;

        private long position;

        private OpenPartition(Partition partition) {
            this.partition = partition;
        }
    }

    /** A share, its task if shares stay with one, and how many of its partitions are open. */
    private static final class OpenShare {
        private final Partition.Share share;
        private final int task;
        private int partitions;

        private OpenShare(Partition.Share share, int task) {
            this.share = share;
            this.task = task;
        }
    }

    private static final int ALL = -1;

    private final int tasks;
    private final boolean keyed;
    private final boolean keepsTask;
    private final ObjIntConsumer<TaskInput> out;
    private final PartitionMoves moves;
    private final Map<String, OpenShare> shares = new HashMap<>();
    private final Map<String, OpenPartition> partitions = new HashMap<>();
    private final Map<String, Partition> current = new HashMap<>();
    private final AtomicLong partitionsOpened = new AtomicLong();
    private final int[] load;
    private long openings;
    private boolean forgets;
    private boolean ended;

    /**
     * Creates a distributor that sends inputs to {@code tasks} tasks by {@code out}, those of a task in order.
     *
     * @param keyed whether shares are aggregated on their own
     * @param inOrder whether one task handles all records of a partition in their order, also if shares are not aggregated on their own
     */
    public EventDistributor(
            int tasks, boolean keyed, boolean inOrder, ObjIntConsumer<TaskInput> out, PartitionMoves moves) {
        this.tasks = tasks;
        this.keyed = keyed;
        this.keepsTask = keyed || inOrder;
        this.out = out;
        this.moves = moves;
        this.load = new int[tasks];
    }

    /** Distributes the events since the last call; returns how many bytes of records they contain. */
    public long distribute(RecordSource from) throws SourceException {
        long bytes = 0;
        forgets = from.forgetsPartitions();
        for (SourceEvent event : from.poll()) {
            bytes += distribute(event, from);
        }
        if (from.ended()) {
            stop(true);
        }
        return bytes;
    }

    /** Reports the end of the source to all tasks once; {@code whole} says whether it is the end of the input. */
    public void stop(boolean whole) {
        for (int task = 0; !ended && task < tasks; task++) {
            out.accept(new TaskInput.SourceEnded(whole), task);
        }
        ended = true;
    }

    private long distribute(SourceEvent event, RecordSource from) {
        if (event instanceof RecordSource.Event.Opened opened) {
            open(opened, from);
            return 0;
        }
        OpenPartition open = partitions.get(event.partition());
        if (open == null) {
            throw new IllegalStateException("the source reports " + event + " for a partition that it has not opened");
        }
        if (event instanceof Chunk chunk) {
            toNext(open, event, chunk.from(), chunk.to());
            return chunk.length();
        }
        if (event instanceof RecordSource.Event.Relocated relocated) {
            moves.relocated(relocated);
            return 0;
        }
        if (event instanceof RecordSource.Event.Rejected rejected) {
            toNext(open, event, rejected.position(), rejected.to());
            return 0;
        }
        if (forgets && event instanceof RecordSource.Event.Ended) {
            open.partition.end().set(open.position);
        }
        toAll(open, event);
        // A partition of an owned share may be revoked even after it has ended.
        boolean revoked = event instanceof RecordSource.Event.Revoked;
        if (event instanceof RecordSource.Event.Revoked revocation) {
            moves.revoked(revocation, keyed ? open.task : ALL);
        }
        if (revoked
                || event instanceof RecordSource.Event.Ended
                        && open.partition.share().ownership() == null) {
            forget(open, revoked);
        }
        return 0;
    }

    private void open(RecordSource.Event.Opened opened, RecordSource from) {
        OpenShare place = shares.computeIfAbsent(opened.share(), name -> {
            OpenShare fresh =
                    new OpenShare(new Partition.Share(name, ++openings, opened.ownership()), keyed ? leastLoaded() : 0);
            load[fresh.task]++;
            return fresh;
        });
        place.partitions++;
        partitionsOpened.incrementAndGet();
        OpenPartition open = new OpenPartition(partition(opened, place, from));
        open.position = opened.position();
        open.task = keyed ? place.task : Math.floorMod(opened.partition().hashCode(), tasks);
        partitions.put(opened.partition(), open);
        current.put(opened.partition(), open.partition);
        toAll(open, opened);
        moves.opened(opened, keyed ? place.task : ALL);
    }

    /** Returns the partition of an event: a new one, or one that has ended, is opened again at its end and is not over yet. */
    private Partition partition(RecordSource.Event.Opened opened, OpenShare place, RecordSource from) {
        Partition ended = partitions.containsKey(opened.partition()) ? null : current.get(opened.partition());
        boolean goesOn = ended != null && ended.end().compareAndSet(opened.position(), Long.MAX_VALUE);
        return goesOn
                ? ended
                : new Partition(
                        opened.partition(),
                        place.share,
                        opened.position(),
                        opened.seen(),
                        partitionsOpened,
                        from.fingerprints(opened.partition()));
    }

    private void forget(OpenPartition open, boolean revoked) {
        String name = open.partition.name();
        partitions.remove(name);
        if (revoked) {
            current.remove(name);
        }
        OpenShare place = shares.get(open.partition.share().name());
        if (--place.partitions == 0) {
            load[place.task]--;
            shares.remove(open.partition.share().name());
        }
    }

    private void toNext(OpenPartition open, SourceEvent event, long from, long to) {
        if (open.position < 0) {
            // Set before any task can close a window with this record.
            open.partition.begin().set(from);
        }
        open.partition.frontier().sent(to);
        out.accept(new TaskInput.OfPartition(open.partition, event, open.position, to), open.task);
        open.position = to;
        if (!keepsTask) {
            open.task = open.task + 1 == tasks ? 0 : open.task + 1;
        }
    }

    private void toAll(OpenPartition open, SourceEvent event) {
        TaskInput input = new TaskInput.OfPartition(open.partition, event, open.position, open.position);
        if (keyed) {
            out.accept(input, open.task);
            return;
        }
        for (int task = 0; task < tasks; task++) {
            out.accept(input, task);
        }
    }

    private int leastLoaded() {
        return IntStream.range(0, tasks)
                .boxed()
                .min(Comparator.comparingInt(task -> load[task]))
                .orElseThrow();
    }

    /** Returns the latest time of a row of each open partition, before any gap; {@link Long#MIN_VALUE} if there is none. */
    public Map<String, Long> times() {
        Map<String, Long> times = new HashMap<>();
        partitions.forEach(
                (name, open) -> times.put(name, open.partition.frontier().latest()));
        return times;
    }

    /** Returns whether the source still accepts positions of a partition: the partition was not revoked, though it may have ended. */
    public boolean isCurrent(Partition partition) {
        return partition.equals(current.get(partition.name()));
    }

    /** Forgets a partition that is over, after the commit of a position was passed to the source. */
    public void forgetIfOver(Partition partition, long done) {
        if (partition.isOver(done)) {
            current.remove(partition.name(), partition);
        }
    }

    public boolean isEnded() {
        return ended;
    }
}
