package io.updraft.pipeline.run;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.RowId;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import java.util.Arrays;

/** Adds the rows of one chunk to windows, and closes windows between two rows if {@code closes}. Not thread-safe. */
final class RowSink implements RowHandler {

    /**
     * What the chunks of a task have in common.
     *
     * @param unique the ids of rows; null if duplicates count
     * @param id reads the id of a row; null if duplicates count
     */
    record Context(
            Decoder decoder,
            RowTime times,
            ShareWindows.Bounds bounds,
            TaskCounters counters,
            RejectionHandler rejected,
            UniqueRows unique,
            RowId id) {

        void reject(Partition partition, long position, byte[] bytes, int from, int length, String reason) {
            if (partition.seen().covers(position)) {
                counters.rejectedAgain(partition.name(), position, reason);
                return;
            }
            counters.rejected(partition.name(), position, reason);
            rejected.reject(partition.name(), position, bytes, from, length, reason);
        }
    }

    private final Context context;
    private final ShareWindows shareWindows;
    private final PartitionProgress state;
    private final Partition partition;
    private final Chunk chunk;
    private final long now;
    private final boolean closes;
    /** Whether an earlier run may have written windows with rows of the chunk, which still accept rows. */
    private final boolean rereads;

    private long lastEnd = Long.MIN_VALUE;
    /** Up to when windows must be closed before the ids of all rows are not needed. */
    private long idsNeededUntil = Long.MIN_VALUE;
    /** Whether the current row is one of a block. */
    private boolean isBlock;
    /** The time of a row that closes windows before the next row of the chunk. */
    private long closingTime;

    /**
     * Creates a sink.
     *
     * @param closes whether the partition alone determines the watermark. Then the limits of chunks, which differ after a crash, do
     *     not decide which rows are in a window
     */
    RowSink(
            Context context,
            ShareWindows shareWindows,
            PartitionProgress state,
            Chunk chunk,
            long now,
            boolean closes) {
        this.context = context;
        this.shareWindows = shareWindows;
        this.state = state;
        this.partition = state.partition;
        this.chunk = chunk;
        this.now = now;
        this.closes = closes;
        this.rereads =
                context.bounds.lateness() > 0 && chunk.from() < partition.seen().end();
        this.closingTime = closingTime();
    }

    private long closingTime() {
        return closes ? shareWindows.closingTime() : Long.MAX_VALUE;
    }

    /** Returns the end of the latest window that accepted a row; {@link Long#MIN_VALUE} if none did. */
    long lastEnd() {
        return lastEnd;
    }

    /** Returns up to when windows must be closed before no row is needed; {@link Long#MIN_VALUE} if none is. */
    long neededUntil() {
        return shareWindows.hasForgotten(idsNeededUntil) ? lastEnd : Math.max(lastEnd, idsNeededUntil);
    }

    @Override
    public void row(RecordRow row, long position, long sourceTime) {
        long time = context.times.of(row, sourceTime, now);
        String mistake = context.times.mistake(row, time, now);
        mistake = mistake == null ? shareWindows.aggregator.zoneMistake(row) : mistake;
        if (mistake != null) {
            rejectRow(position, mistake);
            return;
        }
        context.counters.row();
        boolean duplicate = context.id != null && isDuplicate(row, time);
        long end = duplicate ? Aggregator.LATE : add(row, position, time);
        state.advanceTime(time);
        if (time >= closingTime) {
            closeBeforeNextRow(position);
        }
        if (end != Aggregator.LATE) {
            lastEnd = Math.max(lastEnd, end);
        } else if (duplicate) {
            duplicate(row, position, time);
        } else {
            late(row, position, time);
        }
    }

    private long add(RecordRow row, long position, long time) {
        return rereads
                ? shareWindows.aggregator.add(row, time, partition.seen().writtenUntil(position))
                : shareWindows.aggregator.add(row, time);
    }

    /** Adds the id of a row: also of a row that is late, or that an earlier run has counted. Returns whether it was seen before. */
    private boolean isDuplicate(RecordRow row, long time) {
        int length = context.id.read(row);
        if (length < 0) {
            return false;
        }
        idsNeededUntil = Math.max(idsNeededUntil, context.unique.neededUntil(time));
        return !shareWindows.ids().add(context.id.bytes(), length, time);
    }

    private void duplicate(RecordRow row, long position, long time) {
        if (isHandled(row, position, time)) {
            context.counters.reread();
        } else {
            context.counters.duplicate();
        }
    }

    /** Returns whether an earlier run has handled a row, and written its windows. */
    private boolean isHandled(RecordRow row, long position, long time) {
        return partition.seen().covers(position, shareWindows.aggregator.lastEnd(row, time));
    }

    @Override
    public void rows(RowBlock block) {
        int count = block.count();
        long first = context.times.earliest(block, now);
        long last = context.times.latest(block, now);
        if (rereads
                || context.id != null
                || last >= closingTime
                || !context.times.areValid(first, last, now)
                || !shareWindows.aggregator.areTogether(first, last)) {
            isBlock = true;
            RowHandler.super.rows(block);
            isBlock = false;
            return;
        }
        context.counters.rows(count);
        long end = shareWindows.aggregator.add(block, first);
        state.advanceTime(last);
        if (end != Aggregator.LATE) {
            lastEnd = Math.max(lastEnd, end);
            return;
        }
        for (int i = 0; i < count; i++) {
            RecordRow row = block.row(i);
            late(row, block.position(i), context.times.of(row, block.times()[i], now));
        }
    }

    /** Rejects the record of the current row. The decoder does not know the record of a row of a block, which has no line feed. */
    private void rejectRow(long position, String mistake) {
        Decoder decoder = context.decoder;
        if (!isBlock) {
            rejected(position, chunk.bytes(), decoder.recordFrom(), decoder.recordLength(), mistake);
            return;
        }
        byte[] bytes = chunk.bytes();
        int index = chunk.isLines() ? -1 : Arrays.binarySearch(chunk.positions(), position);
        int from = chunk.isLines() ? (int) (position - chunk.from()) : index == 0 ? 0 : chunk.ends()[index - 1];
        int to = chunk.isLines() ? from : chunk.ends()[index];
        while (chunk.isLines() && to < chunk.length() && bytes[to] != '\n') {
            to++;
        }
        to -= chunk.isLines() && to > from && bytes[to - 1] == '\r' ? 1 : 0;
        rejected(position, bytes, from, to - from, mistake);
    }

    private void late(RecordRow row, long position, long time) {
        if (isHandled(row, position, time)) {
            context.counters.reread();
        } else {
            context.counters.late();
            row.expand();
            context.rejected.late(partition.name(), position, row, time);
        }
    }

    private void closeBeforeNextRow(long position) {
        shareWindows.update(state);
        long watermark = shareWindows.watermark();
        if (shareWindows.passes(watermark)) {
            shareWindows.closeWindows(watermark, position);
        }
        closingTime = closingTime();
    }

    @Override
    public void rejected(long position, byte[] bytes, int from, int length, String reason) {
        context.reject(partition, position, bytes, from, length, reason);
    }
}
