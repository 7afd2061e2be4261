package io.updraft.storm.instrument.check;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Compares a value with its copy by {@code equals}; arrays, also within collections and records, are compared by their
 * elements. Objects of a class that does not define {@code equals} count as the same.
 */
final class ValueEquality {

    private ValueEquality() {}

    static boolean areSame(Object value, Object copy) {
        if (value == null || copy == null) {
            return value == copy;
        }
        if (value.equals(copy)) {
            return true;
        }
        if (value.getClass() != copy.getClass()) {
            return false;
        }
        if (value.getClass().isArray()) {
            return areSameArrays(value, copy);
        }
        if (value instanceof List<?> list) {
            return areSameLists(list, (List<?>) copy);
        }
        if (value instanceof Map<?, ?> map) {
            return areSameMaps(map, (Map<?, ?>) copy);
        }
        return value.getClass().isRecord() ? areSameRecords(value, copy) : !definesEquals(value);
    }

    private static boolean areSameArrays(Object value, Object copy) {
        int length = Array.getLength(value);
        boolean same = length == Array.getLength(copy);
        for (int i = 0; same && i < length; i++) {
            same = areSame(Array.get(value, i), Array.get(copy, i));
        }
        return same;
    }

    private static boolean areSameLists(List<?> value, List<?> copy) {
        Iterator<?> others = copy.iterator();
        return value.size() == copy.size() && value.stream().allMatch(each -> areSame(each, others.next()));
    }

    private static boolean areSameMaps(Map<?, ?> value, Map<?, ?> copy) {
        return value.size() == copy.size()
                && value.entrySet().stream()
                        .allMatch(entry -> copy.containsKey(entry.getKey())
                                && areSame(entry.getValue(), copy.get(entry.getKey())));
    }

    private static boolean areSameRecords(Object value, Object copy) {
        try {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                component.getAccessor().setAccessible(true);
                if (!areSame(
                        component.getAccessor().invoke(value),
                        component.getAccessor().invoke(copy))) {
                    return false;
                }
            }
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private static boolean definesEquals(Object value) {
        try {
            return value.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
