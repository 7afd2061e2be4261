package io.updraft.observe.death;

import io.updraft.observe.process.FullHeap;
import io.updraft.observe.process.HeapHolder;
import io.updraft.observe.process.OldObjects;

/**
 * Whether the heap of this process is nearly full, and who was last seen to hold most of it. Static, because all topologies of a
 * process share the heap. Any thread may ask.
 */
public final class HeapWatch {
    private static volatile FullHeap full;
    private static volatile HeapHolder holder;

    private final FullHeapRule rule = new FullHeapRule();

    HeapWatch() {}

    /** {@return the heap of this process if it stays nearly full after collections; else null} */
    public static FullHeap full() {
        return full;
    }

    /** {@return who held most of the heap when somebody last looked; null if nobody did, or nobody held much} */
    public static HeapHolder lastHolder() {
        return holder;
    }

    static void found(HeapHolder found) {
        holder = found;
    }

    boolean isFilling() {
        return rule.isFilling();
    }

    /**
     * Reads the heap, and looks who holds it if that is due. One thread calls this, twice a second. A look that found no memory is
     * due again at the next reading.
     */
    void read(long nanos) {
        OldObjects old = OldObjects.now();
        rule.add(nanos, old);
        if (!rule.isFilling()) {
            holder = null;
        }
        publish(old);
        if (rule.isLookDue()) {
            holder = HeapLook.take().holder(old.usedBytes());
            rule.looked(nanos);
            publish(old);
        }
    }

    private void publish(OldObjects old) {
        full = rule.isNearlyFull() ? FullHeap.of(old, holder) : null;
    }
}
