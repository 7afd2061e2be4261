package io.updraft.observe.heap;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a class with references, and the size of its objects without what they refer to. Fields of the JDK's classes are
 * not readable; their collections are read by their interfaces instead.
 */
record ClassLayout(Field[] references, long bytes) {
    private static final long MAX_COMPRESSED = 32L << 30;
    private static final int HEADER_BYTES = 12;
    private static final int ALIGNMENT = 8;

    /** The size of a reference: the JVM compresses references in heaps of less than 32 GB. */
    static final int REFERENCE_BYTES = Runtime.getRuntime().maxMemory() < MAX_COMPRESSED ? 4 : 8;

    /** The size of an array without its elements. */
    static final int ARRAY_BYTES = 16;

    static ClassLayout of(Class<?> type) {
        List<Field> references = new ArrayList<>();
        long bytes = HEADER_BYTES;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : fieldsOf(each)) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    bytes += sizeOf(field.getType());
                    addIfReadable(field, references);
                }
            }
        }
        return new ClassLayout(references.toArray(new Field[0]), aligned(bytes));
    }

    /** {@return the static fields of a class with references that can be read} */
    static List<Field> statics(Class<?> type) {
        List<Field> references = new ArrayList<>();
        for (Field field : fieldsOf(type)) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                addIfReadable(field, references);
            }
        }
        return references;
    }

    static Object read(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    static int sizeOf(Class<?> type) {
        if (!type.isPrimitive()) {
            return REFERENCE_BYTES;
        }
        if (type == long.class || type == double.class) {
            return Long.BYTES;
        }
        if (type == int.class || type == float.class) {
            return Integer.BYTES;
        }
        return type == char.class || type == short.class ? Short.BYTES : 1;
    }

    private static Field[] fieldsOf(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError | RuntimeException e) {
            return new Field[0]; // A class of one of its fields is missing.
        }
    }

    private static void addIfReadable(Field field, List<Field> references) {
        if (!field.getType().isPrimitive() && field.trySetAccessible()) {
            references.add(field);
        }
    }
}
