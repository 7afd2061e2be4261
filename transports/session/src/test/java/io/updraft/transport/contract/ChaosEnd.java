package io.updraft.transport.contract;

import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * One worker's end of the session with another: sends the frames of its ledger, and checks received frames against the other
 * worker's ledger.
 */
final class ChaosEnd implements SessionHandler {

    /** Frames of a millisecond, and how many may be made up for: enough to fill any buffer, and no load for a machine. */
    private static final double PACE = 0.1;

    private static final int MOST_AT_ONCE = 16;

    private final MessageLedger to;
    private final MessageLedger from;
    private final int credit;
    private final Consumer<String> violation;
    private final ArrayDeque<Integer> held = new ArrayDeque<>();
    private Session session;
    private MessageLedger.Era sending;
    private ByteBuffer next;
    private MessageLedger.Era receiving;
    private long eraBefore = -1;
    private long heldBytes;
    private boolean refused;
    private double allowed;
    private long pacedAt = System.nanoTime();
    private volatile boolean open;
    private volatile boolean stuck;
    /** A worker that does not work off what it gets. */
    volatile boolean holding;
    /** Nothing new is sent. */
    volatile boolean silent;

    ChaosEnd(MessageLedger to, MessageLedger from, int credit, Consumer<String> violation) {
        this.to = to;
        this.from = from;
        this.credit = credit;
        this.violation = violation;
    }

    /** {@return whether a channel is open} */
    boolean isOpen() {
        return open;
    }

    /** {@return whether nothing is taken any more} */
    boolean isStuck() {
        return stuck;
    }

    /** The process is gone, and what it held with it. */
    void die() {
        if (sending != null && sending.loss == null) {
            sending.orphaned = true;
        }
    }

    /** Sends some, works off some. {@return how much} */
    int work() {
        int done = 0;
        long now = System.nanoTime();
        allowed = Math.min(MOST_AT_ONCE, allowed + PACE * (now - pacedAt) / 1e6);
        pacedAt = now;
        while (open && !silent && !refused && allowed >= 1) {
            offer();
            allowed--;
            done++;
        }
        stuck = open && refused;
        if (done > 0 && open) {
            session.flush();
        }
        return done + (holding ? 0 : release());
    }

    private int release() {
        int released = held.size();
        for (Integer bytes = held.poll(); bytes != null; bytes = held.poll()) {
            heldBytes -= bytes;
            session.release(bytes);
        }
        return released;
    }

    private void offer() {
        if (next == null) {
            next = to.frame(sending.id, sending.taken);
        }
        int length = next.remaining();
        long before = sending.takenBytes;
        // Counted first: the frame may be there before offer returns.
        sending.taken++;
        sending.takenBytes += length;
        refused = !session.offer(next);
        if (refused) {
            check(next.remaining() == length, "a part of a frame that was refused was taken");
            sending.taken--;
            sending.takenBytes -= length;
        } else {
            check(!next.hasRemaining(), "a frame that was taken was not taken whole");
            check(
                    before - sending.arrivedBytes < credit,
                    "a frame was taken although " + before + " bytes were, and the credit is " + credit);
            next = null;
        }
    }

    @Override
    public void onOpen(Session opened) {
        check(!open, "opened twice");
        check(session == null || session == opened, "another session");
        session = opened;
        sending = to.begin();
        next = null;
        receiving = null;
        refused = false;
        open = true;
    }

    @Override
    public void onFrame(Session in, ByteBuffer frame) {
        check(open, "a frame comes while no channel is open");
        check(heldBytes < credit, "a frame comes although " + heldBytes + " bytes are held");
        if (receiving == null) {
            int era = frame.remaining() < Integer.BYTES ? -1 : frame.getInt(frame.position());
            check(era > eraBefore, "the first frame is of era " + era + " after era " + eraBefore);
            receiving = from.era(era);
            eraBefore = era;
        }
        int length = frame.remaining();
        ByteBuffer expected = from.frame(receiving.id, receiving.arrived);
        check(
                length == expected.remaining() && frame.mismatch(expected) < 0,
                "frame " + receiving.arrived + " of era " + receiving.id + " should have " + expected.remaining()
                        + " bytes, but another one of " + length + " came");
        receiving.arrivedBytes += length;
        receiving.arrived++;
        held.add(length);
        heldBytes += length;
    }

    @Override
    public void onWritable(Session out) {
        check(open, "writable while no channel is open");
        refused = false;
    }

    @Override
    public void onLost(Session gone, SessionLoss loss) {
        if (loss.refused() && !open) {
            return; // an older incarnation of this side may be refused, or of the peer
        }
        check(open, "lost twice");
        check(sending.loss == null, "one loss is reported twice");
        sending.loss = loss;
        open = false;
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            violation.accept(to.name + ": " + otherwise);
        }
    }
}
