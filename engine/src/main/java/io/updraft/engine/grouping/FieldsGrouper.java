package io.updraft.engine.grouping;

import java.util.Arrays;
import java.util.List;

/**
 * Chooses the same task for equal keys, with the same index as Storm: {@code floorMod(Arrays.deepHashCode(key), n)}. Computed
 * without creating an array for the key.
 */
final class FieldsGrouper extends Grouper {

    private final int[] keyIndexes;

    /**
     * Creates a grouper.
     *
     * @param targets the subscriber's tasks
     * @param keyIndexes positions of the grouping fields in the tuple, in the order of the grouping
     */
    FieldsGrouper(int[] targets, int[] keyIndexes) {
        super(targets);
        this.keyIndexes = keyIndexes;
    }

    @Override
    public int choose(List<Object> values) {
        int hash = 1;
        for (int index : keyIndexes) {
            hash = 31 * hash + deepHash(values.get(index));
        }
        return Math.floorMod(hash, targetCount());
    }

    private static int deepHash(Object value) {
        if (value instanceof String string) {
            return string.hashCode();
        }
        if (value == null) {
            return 0;
        }
        return value.getClass().isArray() ? arrayHash(value) : value.hashCode();
    }

    private static int arrayHash(Object array) {
        return array instanceof Object[] objects
                ? Arrays.deepHashCode(objects)
                : Arrays.deepHashCode(new Object[] {array}) - 31;
    }
}
