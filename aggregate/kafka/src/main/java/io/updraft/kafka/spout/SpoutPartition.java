package io.updraft.kafka.spout;

import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.spout.OffsetTracker.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * The spout's state of one partition: its tracker, and the chunks with records that are not done, kept for replays. Owned by
 * the spout's thread.
 */
final class SpoutPartition {

    final TopicPartition id;
    final OffsetTracker tracker;
    final OverduePartitionAlarm alarm;

    /** The start of reading: an offset, {@code KafkaReader.EARLIEST} or {@code KafkaReader.LATEST}. */
    final long start;

    long committed = -1;
    boolean paused;

    RecordTrace search;
    private final PartitionSpoutConfig config;
    private final TreeMap<Long, HeldChunk> held = new TreeMap<>();
    private long heldBytes;

    /** A chunk with at least one record that is not done. */
    static final class HeldChunk {

        final SpoutPartition partition;
        final KafkaChunk chunk;
        private int left;

        private HeldChunk(SpoutPartition partition, KafkaChunk chunk) {
            this.partition = partition;
            this.chunk = chunk;
            this.left = chunk.count();
        }
    }

    SpoutPartition(TopicPartition id, long start, PartitionSpoutConfig config) {
        this.id = id;
        this.start = start;
        this.config = config;
        this.alarm = new OverduePartitionAlarm(config.alarmMillis);
        this.tracker = new OffsetTracker(id.toString(), Math.max(0, start), config.window, config.retryPolicy());
    }

    /** Registers all records of a chunk as emitted, and keeps the chunk for replays. */
    HeldChunk hold(KafkaChunk chunk, long now) {
        long[] offsets = chunk.positions();
        int run = 0;
        for (int i = 1; i <= offsets.length; i++) {
            if (i == offsets.length || offsets[i] != offsets[i - 1] + 1) {
                tracker.emitted(offsets[run], offsets[i - 1] + 1, now);
                run = i;
            }
        }
        tracker.advance(chunk.to());
        HeldChunk entry = new HeldChunk(this, chunk);
        held.put(offsets[0], entry);
        heldBytes += chunk.length();
        return entry;
    }

    boolean isBelowLimits() {
        return !tracker.isFull() && heldBytes < config.heldBytes;
    }

    void done(RecordId id) {
        if (tracker.done(id.offset()) && --id.held.left == 0) {
            held.remove(id.held.chunk.positions()[0]);
            heldBytes -= id.held.chunk.length();
        }
    }

    /** Starts a search for a reported offset, if it is the first pending one and thus holds back the commit. */
    void search(long offset, EngineTraces engine) {
        if (engine.canTrace() && offset == tracker.committable() && (search == null || search.offset != offset)) {
            endSearch();
            search = new RecordTrace(offset, engine);
        }
    }

    void endFoundSearch() {
        if (search != null && search.offset < tracker.committable()) {
            endSearch();
        }
    }

    void endSearch() {
        if (search != null) {
            search.end();
            search = null;
        }
    }

    Verdict failed(RecordId id, long now) {
        return tracker.failed(id.offset(), id.attempt, now);
    }

    /** Takes the next record that is due for a replay; null if none is due. */
    RecordId replay(long now) {
        long offset = tracker.replay(now);
        if (offset == OffsetTracker.NONE) {
            return null;
        }
        Map.Entry<Long, HeldChunk> entry = held.floorEntry(offset);
        int record = Arrays.binarySearch(entry.getValue().chunk.positions(), offset);
        return new RecordId(entry.getValue(), record, tracker.attempt(offset));
    }

    /**
     * Selects the overdue offsets of one partition that an alarm reports. Each offset is reported once. The first pending offset,
     * which holds back the commit, is reported again each time another limit has passed.
     */
    static final class OverduePartitionAlarm {

        private static final int MAX_OFFSETS = 10;

        private final long limitNanos;
        private long named = -1;
        private long first = -1;
        private long firstAt;

        OverduePartitionAlarm(long limitMillis) {
            limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
        }

        /** Returns whether an offset has been pending for half of the limit or longer. */
        boolean isNear(OffsetTracker tracker, long now) {
            return !tracker.overdue(now, limitNanos / 2, 1).isEmpty();
        }

        List<OffsetTracker.Overdue> due(OffsetTracker tracker, long now) {
            List<OffsetTracker.Overdue> ringing = new ArrayList<>();
            for (OffsetTracker.Overdue overdue : tracker.overdue(now, limitNanos, MAX_OFFSETS)) {
                boolean isFirst = overdue.offset() == tracker.committable();
                boolean again = isFirst && overdue.offset() == first && now - firstAt >= limitNanos;
                if (overdue.offset() > named || again) {
                    ringing.add(overdue);
                    named = Math.max(named, overdue.offset());
                }
                if (isFirst && (again || overdue.offset() != first)) {
                    first = overdue.offset();
                    firstAt = now;
                }
            }
            return ringing;
        }
    }
}
