package io.updraft.engine.snapshot;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** Keeps the newest moves. May be used from any thread. */
public final class MoveLog {
    /** The number of moves that are kept by default. A reader that comes once a second misses some if there are more. */
    public static final int KEPT = 256;

    private final Deque<Move> recent = new ArrayDeque<>();

    private final int kept;

    /** Creates an empty log that keeps the newest {@value #KEPT} moves. */
    public MoveLog() {
        this(KEPT);
    }

    /**
     * Creates an empty log.
     *
     * @param most the number of moves that it keeps, the newest ones
     */
    public MoveLog(int most) {
        this.kept = most;
    }

    /**
     * Adds a move.
     *
     * @param move the move, which is newer than all others
     */
    public void add(Move move) {
        synchronized (recent) {
            if (recent.size() == kept) {
                recent.removeFirst();
            }
            recent.addLast(move);
        }
    }

    /** {@return the newest moves, the oldest first} */
    public List<Move> recent() {
        synchronized (recent) {
            return List.copyOf(recent);
        }
    }

    /**
     * Merges logs.
     *
     * @param logs the moves of each log
     * @return the newest {@value #KEPT} of all, the oldest first
     */
    public static List<Move> newest(Stream<List<Move>> logs) {
        List<Move> all = logs.flatMap(Collection::stream)
                .sorted(Comparator.comparingLong(Move::timeMillis))
                .toList();
        return all.subList(Math.max(0, all.size() - KEPT), all.size());
    }
}
