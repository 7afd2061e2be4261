package io.updraft.engine.mesh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A bounded queue between exactly one producing and one consuming thread.
 *
 * <p>The algorithm is Lamport's ("Proving the Correctness of Multiprocess Programs", 1977) with each side caching the other's
 * index, as in Giacomoni, Moseley and Vachharajani, "FastForward" (PPoPP 2008): a side reads the other's cache line only when
 * its cached copy says that the ring is full or empty.
 *
 * <p>The producing or the consuming thread may change if the change itself is a happens-before edge, as when an event loop
 * moves to another thread.
 *
 * @param <E> the type of the elements
 */
public final class SpscRing<E> extends SpscRingConsumerFields {

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(SpscRingProducerFields.class, "tail", long.class);
            HEAD = lookup.findVarHandle(SpscRingConsumerFields.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object[] slots;
    private final int mask;

    /**
     * Creates an empty ring.
     *
     * @param capacity maximum number of elements, rounded up to a power of two
     */
    public SpscRing(int capacity) {
        int size = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        slots = new Object[size];
        mask = size - 1;
    }

    /** {@return the maximum number of elements} */
    public int capacity() {
        return slots.length;
    }

    /**
     * Appends an element. Producer only.
     *
     * @param element not null
     * @return false when the ring is full; the element was not added
     */
    public boolean offer(E element) {
        long position = tail;
        if (position - cachedHead >= slots.length) {
            cachedHead = (long) HEAD.getAcquire(this);
            if (position - cachedHead >= slots.length) {
                return false;
            }
        }
        SLOTS.set(slots, (int) position & mask, element);
        TAIL.setRelease(this, position + 1);
        return true;
    }

    /**
     * Removes the oldest element. Consumer only.
     *
     * @return the element, or null when the ring is empty
     */
    @SuppressWarnings("unchecked")
    public E poll() {
        long position = head;
        if (position >= cachedTail) {
            cachedTail = (long) TAIL.getAcquire(this);
            if (position >= cachedTail) {
                return null;
            }
        }
        int index = (int) position & mask;
        Object element = slots[index];
        slots[index] = null;
        HEAD.setRelease(this, position + 1);
        return (E) element;
    }

    /** {@return whether the ring is empty; exact for the consumer, a hint for other threads} */
    public boolean isEmpty() {
        return (long) TAIL.getAcquire(this) == (long) HEAD.getAcquire(this);
    }

    /** {@return the number of elements; exact only when neither side is active} */
    public int size() {
        return (int) Math.max(0, (long) TAIL.getAcquire(this) - (long) HEAD.getAcquire(this));
    }
}

/** Padding between the object header and the producer's fields. */
@SuppressWarnings("unused")
abstract class SpscRingHeaderPadding {
    private long p00;
    private long p01;
    private long p02;
    private long p03;
    private long p04;
    private long p05;
    private long p06;
    private long p07;
}

/** Written by the producer only. */
abstract class SpscRingProducerFields extends SpscRingHeaderPadding {
    long tail;
    long cachedHead;
}

/** Padding between the producer's and the consumer's fields: two cache lines, for adjacent-line prefetch. */
@SuppressWarnings("unused")
abstract class SpscRingMiddlePadding extends SpscRingProducerFields {
    private long q00;
    private long q01;
    private long q02;
    private long q03;
    private long q04;
    private long q05;
    private long q06;
    private long q07;
    private long q08;
    private long q09;
    private long q10;
    private long q11;
    private long q12;
    private long q13;
}

/** Written by the consumer only. */
abstract class SpscRingConsumerFields extends SpscRingMiddlePadding {
    long head;
    long cachedTail;
}
