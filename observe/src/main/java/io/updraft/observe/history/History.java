package io.updraft.observe.history;

import io.updraft.engine.snapshot.Move;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The samples of one topology or pipeline over the last hour. Guarded by the {@link Histories} that it belongs to. */
final class History {
    /** The number of samples in a block, which is dropped or made coarser as a whole. */
    static final int BLOCK = 60;

    /** The number of moves that are kept. */
    static final int MOVES = 1_000;

    /** The time after which samples are dropped. */
    static final long SPAN_MILLIS = 3_600_000;

    /** The number of samples that are merged into one when memory runs short. */
    static final int MERGED = 10;

    private final String name;
    private final Deque<HistoryBlock> blocks = new ArrayDeque<>();
    /** The newest moves, without repetitions, in the order of time. */
    private final Set<Move> moves = new LinkedHashSet<>();

    /** No move at this time or earlier is added: it may have been dropped. */
    private long movesDroppedMillis;

    private long endedMillis;
    private boolean dropped;
    private long bytes;

    History(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    long bytes() {
        return bytes;
    }

    void add(long endMillis, double seconds, Map<HistorySeries, double[]> sample) {
        HistoryBlock last = blocks.peekLast();
        if (last == null || last.isFull()) {
            last = new HistoryBlock(BLOCK, false);
            blocks.add(last);
        } else {
            bytes -= last.bytes();
        }
        last.add(endMillis, seconds, sample);
        bytes += last.bytes();
        while (blocks.size() > 1 && blocks.peekFirst().endMillis() <= endMillis - SPAN_MILLIS) {
            bytes -= blocks.removeFirst().bytes();
        }
    }

    void addMoves(List<Move> newest) {
        for (Move move : newest) {
            if (move.timeMillis() > movesDroppedMillis) {
                moves.add(move);
            }
        }
        Iterator<Move> oldest = moves.iterator();
        while (moves.size() > MOVES) {
            movesDroppedMillis = oldest.next().timeMillis();
            oldest.remove();
        }
    }

    /** Returns the moves after a time, the oldest first. */
    List<Move> moves(long fromMillis) {
        return moves.stream()
                .filter(move -> move.timeMillis() > fromMillis)
                .sorted(Comparator.comparingLong(Move::timeMillis))
                .toList();
    }

    /** Returns the end of the oldest block that can be made coarser, milliseconds since 1970; the largest number if none can. */
    long oldestFineMillis() {
        for (HistoryBlock block : blocks) {
            if (!block.isCoarse() && block.isFull()) {
                return block.endMillis();
            }
        }
        return Long.MAX_VALUE;
    }

    /** Makes the oldest block coarser that can be. */
    void makeCoarser() {
        HistoryBlock[] all = blocks.toArray(HistoryBlock[]::new);
        blocks.clear();
        boolean done = false;
        for (HistoryBlock block : all) {
            if (!done && !block.isCoarse() && block.isFull()) {
                HistoryBlock coarser = block.coarser(MERGED);
                bytes += coarser.bytes() - block.bytes();
                blocks.add(coarser);
                done = true;
            } else {
                blocks.add(block);
            }
        }
    }

    /** Returns the end of the oldest block, milliseconds since 1970; the largest number if only the block in use is left. */
    long oldestMillis() {
        return blocks.size() > (endedMillis == 0 ? 1 : 0) ? blocks.peekFirst().endMillis() : Long.MAX_VALUE;
    }

    void dropOldest() {
        bytes -= blocks.removeFirst().bytes();
        dropped = true;
    }

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    /** Notes the end of the topology. */
    void end(long millis) {
        endedMillis = millis;
    }

    /** Returns when the topology ended, milliseconds since 1970; 0 if it runs. */
    long endedMillis() {
        return endedMillis;
    }

    /** Returns whether samples of the last hour were dropped to save memory. */
    boolean isShortened() {
        return dropped;
    }

    /** Returns the start of the first sample, milliseconds since 1970; 0 if there is none. */
    long startMillis() {
        return blocks.isEmpty() ? 0 : blocks.peekFirst().startMillis();
    }

    /** Returns the end of the last sample, milliseconds since 1970; 0 if there is none. */
    long endMillis() {
        return blocks.isEmpty() ? 0 : blocks.peekLast().endMillis();
    }

    /** Returns the time before which samples are ten seconds long to save memory, milliseconds since 1970; 0 for none. */
    long coarseUntilMillis() {
        long until = 0;
        for (HistoryBlock block : blocks) {
            if (block.isCoarse()) {
                until = block.endMillis();
            }
        }
        return until;
    }

    /** Returns the samples that end after a time, merged into steps of a length. */
    List<HistoryStep> steps(long fromMillis, long lengthMillis) {
        HistorySteps steps = new HistorySteps(lengthMillis);
        blocks.forEach(block -> block.addTo(steps, fromMillis));
        return steps.all();
    }
}
