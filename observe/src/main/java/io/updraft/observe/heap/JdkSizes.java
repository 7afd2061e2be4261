package io.updraft.observe.heap;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;

/** Sizes of objects of the JDK, whose fields cannot be read. Approximate: they differ between versions. */
final class JdkSizes {
    private static final int TEXT_BYTES = 24;
    private static final int LOOKED_AT = 16;
    private static final int MAX_ONE_BYTE = 255;
    private static final int HASH_ENTRY_BYTES = 32;
    private static final int LINKED_ENTRY_BYTES = 40;
    private static final int TREE_ENTRY_BYTES = 40;
    private static final int LIST_NODE_BYTES = 24;

    /** A table has one and a third slots for each entry, on average. */
    private static final double SLOTS_PER_ENTRY = 4.0 / 3;

    private JdkSizes() {}

    static long of(String text) {
        boolean wide = text.chars().limit(LOOKED_AT).anyMatch(character -> character > MAX_ONE_BYTE);
        return TEXT_BYTES
                + ClassLayout.aligned(ClassLayout.ARRAY_BYTES + (long) text.length() * (wide ? Short.BYTES : 1));
    }

    /** {@return the number of elements of a collection; -1 if the object is none} */
    static int sizeOf(Object object) {
        return object instanceof Collection<?> collection ? collection.size() : -1;
    }

    /** {@return the bytes for each entry of a map or collection, without the key and the value} */
    static double entryBytes(Object container) {
        double slot = SLOTS_PER_ENTRY * ClassLayout.REFERENCE_BYTES;
        if (container instanceof List<?> && container instanceof RandomAccess
                || container instanceof ArrayList<?>
                || container instanceof ArrayDeque<?>) {
            return slot;
        }
        if (container instanceof LinkedHashMap<?, ?> || container instanceof LinkedHashSet<?>) {
            return LINKED_ENTRY_BYTES + slot;
        }
        if (container instanceof SortedMap<?, ?> || container instanceof SortedSet<?>) {
            return TREE_ENTRY_BYTES;
        }
        boolean hashed = container instanceof Map<?, ?> || container instanceof Set<?>;
        return hashed ? HASH_ENTRY_BYTES + slot : LIST_NODE_BYTES;
    }

    /** {@return the bytes that an object holds beside its fields} */
    static long hidden(Object object) {
        if (object instanceof StringBuilder text) {
            return ClassLayout.ARRAY_BYTES + text.capacity();
        }
        if (object instanceof StringBuffer text) {
            return ClassLayout.ARRAY_BYTES + text.capacity();
        }
        if (object instanceof BitSet bits) {
            return ClassLayout.ARRAY_BYTES + bits.size() / Byte.SIZE;
        }
        if (object instanceof BigInteger number) {
            return ClassLayout.ARRAY_BYTES + number.bitLength() / Byte.SIZE;
        }
        if (object instanceof ByteBuffer buffer && buffer.hasArray()) {
            return ClassLayout.ARRAY_BYTES + buffer.array().length;
        }
        return 0;
    }

    /** {@return the object that an object of the JDK holds; null for none} */
    static Object referent(Object object) {
        if (object instanceof AtomicReference<?> reference) {
            return reference.get();
        }
        if (object instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        return object instanceof BigDecimal number ? number.unscaledValue() : null;
    }
}
