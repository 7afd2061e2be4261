package io.updraft.storm.trident;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/** The values of a group, with the hash computed once. Equal to any list of the same values. */
final class GroupKey extends AbstractList<Object> {

    private final Object[] values;
    private final int hash;

    GroupKey(List<Object> view) {
        values = new Object[view.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = view.get(i);
        }
        hash = Arrays.hashCode(values);
    }

    @Override
    public Object get(int index) {
        return values[index];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GroupKey key
                ? hash == key.hash && Arrays.equals(values, key.values)
                : super.equals(other);
    }
}
