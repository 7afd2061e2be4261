package io.updraft.engine.mesh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Hands what one thread sends, however little at a time, to another that takes all that is there at once. So nothing waits
 * for more to come, and who is behind takes much at a time.
 *
 * <p>There is one batch in one place. Whoever exchanges it for nothing owns it until it is put back: the sender, to add to
 * it, the taker, for good. A taker who finds nothing may have come while the sender had it: the sender rings after each offer, also
 * after one for which there was no room.
 *
 * <p>Which thread plays a role may change as with {@link SpscRing}.
 */
public final class Handover {

    private static final VarHandle WAITING;
    private static final VarHandle SPARE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAITING = lookup.findVarHandle(Handover.class, "waiting", Batch.class);
            SPARE = lookup.findVarHandle(Handover.class, "spare", Batch.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int room;

    @SuppressWarnings("unused") // through WAITING
    private Batch waiting;

    /** An empty batch on its way back. */
    @SuppressWarnings("unused") // through SPARE
    private Batch spare;

    /**
     * Creates one in which nothing waits.
     *
     * @param room tuples, or reports, from which on no more are taken in
     */
    public Handover(int room) {
        this.room = room;
    }

    /**
     * Leaves all tuples and reports of a batch, behind those that wait. Sender only.
     *
     * @param sent is empty afterwards
     * @return false when there is no room; nothing was done
     */
    public boolean offer(Batch sent) {
        Batch into = take();
        boolean fits = into.tupleCount() < room && into.reportCount() < room;
        if (fits) {
            into.takeTuples(sent);
            into.takeReports(sent);
        }
        WAITING.setRelease(this, into);
        return fits;
    }

    /** Leaves word that the sender sends no more, behind what waits. Sender only. */
    public void offerLast() {
        Batch into = take();
        into.markLast();
        WAITING.setRelease(this, into);
    }

    private Batch take() {
        Batch into = (Batch) WAITING.getAndSetAcquire(this, (Batch) null);
        if (into == null) {
            into = (Batch) SPARE.getAndSetAcquire(this, (Batch) null);
        }
        return into == null ? new Batch() : into;
    }

    /**
     * Takes all that waits. Taker only.
     *
     * @return what waits, null if there is nothing
     */
    public Batch poll() {
        if (isEmpty()) {
            return null;
        }
        return (Batch) WAITING.getAndSetAcquire(this, (Batch) null);
    }

    /**
     * Gives back a batch that was worked off, for use again. Taker only.
     *
     * @param empty what {@link #poll} gave, not the last
     */
    public void giveBack(Batch empty) {
        SPARE.setRelease(this, empty);
    }

    /** {@return whether nothing waits: true for a moment also while the sender adds to what does} */
    public boolean isEmpty() {
        return WAITING.getOpaque(this) == null;
    }
}
