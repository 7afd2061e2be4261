package io.updraft.engine.failure;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;

/** Estimates the memory of the values of a message, without their fields: an object of an unknown class counts little. */
final class ValueSizes {

    private static final int OBJECT_BYTES = 64;
    private static final int ELEMENT_BYTES = 8;
    private static final int MAX_DEPTH = 4;

    private ValueSizes() {}

    static long of(Object value) {
        try {
            return of(value, 0);
        } catch (RuntimeException e) {
            // A collection of the user's own.
            return OBJECT_BYTES;
        }
    }

    private static long of(Object value, int depth) {
        if (value instanceof String text) {
            return OBJECT_BYTES + 2L * text.length();
        }
        if (value instanceof byte[] bytes) {
            return OBJECT_BYTES + bytes.length;
        }
        if (value != null && value.getClass().isArray()) {
            return OBJECT_BYTES + (long) ELEMENT_BYTES * Array.getLength(value);
        }
        if (depth < MAX_DEPTH && value instanceof Collection<?> all) {
            return OBJECT_BYTES
                    + all.stream().mapToLong(each -> of(each, depth + 1)).sum();
        }
        if (depth < MAX_DEPTH && value instanceof Map<?, ?> map) {
            return OBJECT_BYTES + of(map.keySet(), depth + 1) + of(map.values(), depth + 1);
        }
        return OBJECT_BYTES;
    }
}
