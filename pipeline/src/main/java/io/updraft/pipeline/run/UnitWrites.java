package io.updraft.pipeline.run;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which chunks of a unit wait for brokers, and up to where all have been written. The route task begins chunks, any thread finishes
 * them.
 */
final class UnitWrites {

    /** A chunk. It is done when all that was begun of it is finished, its decoding too. */
    final class Piece {
        private final long from;
        private final long to;
        private final long since;
        private int open = 1;

        private Piece(long from, long to, long since) {
            this.from = from;
            this.to = to;
            this.since = since;
        }

        /** One more record of it waits. */
        void begin() {
            synchronized (UnitWrites.this) {
                open++;
            }
        }

        /** A record of it has been written, or will never be sent, or no more will begin. */
        void finish() {
            finished(this);
        }
    }

    /** Told of each chunk that is done, on the thread that has finished it, which holds a lock of the unit. */
    interface Done {
        /** The chunk that begins at a position is done. */
        void done(UnitWrites unit, long from);
    }

    private final Unit unit;
    private final Done whenDone;
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private long done;
    private long told;

    UnitWrites(Unit unit, long position, Done whenDone) {
        this.unit = unit;
        this.whenDone = whenDone;
        done = position;
        told = position;
    }

    Unit unit() {
        return unit;
    }

    /** Begins a chunk; chunks begin in their order. */
    synchronized Piece begin(long from, long to, long now) {
        Piece piece = new Piece(from, to, now);
        pieces.addLast(piece);
        return piece;
    }

    private synchronized void finished(Piece piece) {
        if (--piece.open > 0) {
            return;
        }
        // First: who sees that all is done must find that it was told.
        whenDone.done(this, piece.from);
        while (!pieces.isEmpty() && pieces.peekFirst().open == 0) {
            done = pieces.removeFirst().to;
        }
    }

    /** Everything before this position has been written. */
    synchronized long done() {
        return done;
    }

    /** Whether {@link #done} is further than when this was asked before. */
    synchronized boolean gotOn() {
        boolean further = done != told;
        told = done;
        return further;
    }

    /** Since when the first chunk that is not done waits, milliseconds since 1970; MAX_VALUE if all are done. */
    synchronized long waitingSince() {
        return pieces.isEmpty() ? Long.MAX_VALUE : pieces.peekFirst().since;
    }

    synchronized boolean isDone() {
        return pieces.isEmpty();
    }
}
