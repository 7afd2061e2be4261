package io.updraft.engine.run;

import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Connections between simulated workers: frames arrive whole, once, in order and late, until a connection breaks. Then all
 * frames on it are lost, and both ends are notified, each at its own time.
 */
final class SimNetwork {

    /** What travels beside batches and loads. */
    static final Object LOSS = "loss";

    /** Sends something on a connection. */
    record Frame(Object content, long due) {}

    /** One worker's end of a connection to another. */
    static final class End {

        /** On its way to this end. */
        final Deque<Frame> incoming = new ArrayDeque<>();

        /** Whether the connection has opened or broken and this end has not noticed. */
        boolean opened;

        boolean broken;

        /** Whether this end may send: it has noticed that the connection is open. */
        boolean joined;

        /** Whether the other end is to hear of a loss as soon as it can. */
        boolean owesLoss;

        long loadSent = -1;
    }

    private final End[][] ends;
    private final boolean[][] open;
    private final SeededRandom chance;
    private final SimClock clock;
    private final int credit;
    private final int slowness;

    SimNetwork(int workers, SeededRandom chance, SimClock clock) {
        this.chance = chance;
        this.clock = clock;
        this.credit = chance.oneOf(1, 3, 10, 100);
        this.slowness = chance.oneOf(1, 100, 2000);
        ends = new End[workers][workers];
        open = new boolean[workers][workers];
        for (End[] row : ends) {
            for (int i = 0; i < workers; i++) {
                row[i] = new End();
            }
        }
    }

    End end(int of, int to) {
        return ends[of][to];
    }

    boolean isOpen(int a, int b) {
        return open[Math.min(a, b)][Math.max(a, b)];
    }

    private void setOpen(int a, int b, boolean now) {
        open[Math.min(a, b)][Math.max(a, b)] = now;
    }

    /** Opens a connection if both ends have noticed that it is gone; returns whether it did. */
    boolean open(int a, int b) {
        if (isOpen(a, b) || ends[a][b].broken || ends[b][a].broken) {
            return false;
        }
        setOpen(a, b, true);
        ends[a][b].opened = true;
        ends[b][a].opened = true;
        return true;
    }

    /** Breaks a connection; returns whether it was open. */
    boolean breakUp(int a, int b) {
        if (!isOpen(a, b)) {
            return false;
        }
        setOpen(a, b, false);
        breakEnd(ends[a][b]);
        breakEnd(ends[b][a]);
        return true;
    }

    private static void breakEnd(End end) {
        end.incoming.clear();
        end.opened = false;
        end.broken = true;
    }

    /** Forgets what a process knew that is gone. */
    void forget(int worker) {
        for (int i = 0; i < ends.length; i++) {
            ends[worker][i] = new End();
        }
    }

    boolean hasCredit(int from, int to) {
        return isOpen(from, to) && ends[to][from].incoming.size() < credit;
    }

    void send(int from, int to, Object content) {
        Deque<Frame> queue = ends[to][from].incoming;
        long soonest = clock.now() + (long) chance.between(0, 1000) * slowness;
        long due = queue.isEmpty() ? soonest : Math.max(queue.getLast().due(), soonest);
        queue.add(new Frame(content instanceof Batch batch ? copy(batch) : content, due));
    }

    /** The next frame that has arrived, which stays; null when there is none. */
    Object peek(End end, boolean atOnce) {
        Frame frame = end.incoming.peek();
        return frame != null && (atOnce || clock.now() - frame.due() >= 0) ? frame.content() : null;
    }

    /** What a codec does: nothing is the same object at the other end but the values, which the model needs. */
    private static Batch copy(Batch batch) {
        Batch copy = new Batch();
        for (int i = 0; i < batch.tupleCount(); i++) {
            copy.add(copy(batch.tuple(i)), batch.target(i));
        }
        for (int i = 0; i < batch.reportCount(); i++) {
            copy.addReport(batch.kind(i), batch.owner(i), batch.root(i), batch.value(i));
        }
        return copy;
    }

    private static EngineTuple copy(EngineTuple tuple) {
        if (tuple.owner() == EngineTuple.UNTRACKED) {
            return EngineTuple.untracked(tuple.origin(), tuple.getValues());
        }
        if (tuple.owner() == EngineTuple.MANY) {
            Anchors copy = new Anchors();
            Anchors trees = tuple.anchors();
            for (int i = 0; i < trees.size(); i++) {
                copy.add(trees.owner(i), trees.root(i), trees.edge(i));
            }
            return EngineTuple.tracked(tuple.origin(), tuple.getValues(), copy);
        }
        return tuple.isOnlyEdge()
                ? EngineTuple.first(tuple.origin(), tuple.getValues(), tuple.owner(), tuple.root())
                : EngineTuple.tracked(tuple.origin(), tuple.getValues(), tuple.owner(), tuple.root(), tuple.pending());
    }
}
