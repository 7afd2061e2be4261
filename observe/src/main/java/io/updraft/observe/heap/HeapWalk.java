package io.updraft.observe.heap;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * Estimates the size of the objects that a reference leads to. Of a large collection or array it visits a sample, and counts each
 * visited element for those that it stands for. An object counts once for all walks with the same instance; a sampled one that
 * appears again counts as a single object from then on. Classes of Storm and Updraft that all components share do not count.
 *
 * <p>The walk does not recurse, and it calls only methods of the JDK's own classes. It tolerates that objects change meanwhile; the
 * result is then less exact. Its memory is bounded. Not safe for use by several threads.
 */
final class HeapWalk {
    /** Elements visited of a collection that is in no other one; fewer of those that are in others. */
    private static final int SAMPLE = 64;

    private static final int LEAST_SAMPLE = 4;

    /** Of the objects that one walk may visit; beyond, the result is a lower bound. */
    private static final int MAX_VISITS = 10_000;

    private static final int TABLE = 1 << 16;
    private static final int VISITS_PER_TIME_CHECK = 64;

    private final long deadline;
    private final Object[] seen = new Object[TABLE];
    /** What each object in the table has added beyond its own size, because it was a sample. */
    private final long[] excess = new long[TABLE];

    private int seenCount;
    private final Map<Class<?>, ClassLayout> layouts = new HashMap<>();
    private final Deque<Step> open = new ArrayDeque<>();

    private double bytes;
    private int visits;
    private boolean exact;
    private String largest;
    private double largestElements;

    /** An object to visit: how many objects it stands for, and in how many collections it is. */
    private record Step(Object object, double weight, int depth) {}

    /** Creates a walk that stops at a time by {@link System#nanoTime()}. */
    HeapWalk(long deadline) {
        this.deadline = deadline;
    }

    boolean isOver() {
        return deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0;
    }

    /** {@return the size of what a value leads to, without what was visited before} */
    HeldField walk(String name, Object value) {
        bytes = 0;
        visits = 0;
        exact = true;
        largest = null;
        largestElements = 0;
        push(value, 1, 0);
        while (!open.isEmpty()) {
            if (visits >= MAX_VISITS || visits % VISITS_PER_TIME_CHECK == 0 && isOver()) {
                exact = false;
                open.clear();
                break;
            }
            visit(open.pop());
        }
        return new HeldField(name, value.getClass().getName(), Math.max(0, (long) bytes), exact, largest);
    }

    private void push(Object object, double weight, int depth) {
        if (object != null && !SharedClasses.isShared(object)) {
            open.push(new Step(object, weight, depth));
        }
    }

    private void visit(Step step) {
        visits++;
        int place = placeOf(step.object);
        if (seen[place] != null) {
            // Reached a second time by a sample: not one of many equal objects, but one that many share.
            bytes -= excess[place];
            excess[place] = 0;
            return;
        }
        double before = bytes;
        try {
            size(step);
        } catch (RuntimeException e) {
            exact = false; // A collection has changed under the iteration.
        }
        seen[place] = step.object;
        double own = bytes - before;
        excess[place] = (long) (own - own / step.weight);
        if (++seenCount > TABLE / 4 * 3) {
            Arrays.fill(seen, null);
            seenCount = 0;
        }
    }

    private int placeOf(Object object) {
        int place = System.identityHashCode(object) & TABLE - 1;
        while (seen[place] != null && seen[place] != object) {
            place = place + 1 & TABLE - 1;
        }
        return place;
    }

    /** Adds the size of an object and opens what it refers to. */
    private void size(Step step) {
        Object object = step.object;
        if (object instanceof String text) {
            bytes += step.weight * JdkSizes.of(text);
        } else if (object instanceof Object[] array) {
            array(step, array);
        } else if (object.getClass().isArray()) {
            int length = Array.getLength(object);
            int each = ClassLayout.sizeOf(object.getClass().getComponentType());
            bytes += step.weight * ClassLayout.aligned(ClassLayout.ARRAY_BYTES + (long) each * length);
        } else if (!SharedClasses.isOfJdk(object.getClass())) {
            fields(step);
        } else if (object instanceof Map<?, ?> map) {
            map(step, map);
        } else if (object instanceof Iterable<?> && JdkSizes.sizeOf(object) >= 0) {
            iterable(step, (Iterable<?>) object, JdkSizes.sizeOf(object));
        } else {
            bytes += step.weight * (layout(object).bytes() + JdkSizes.hidden(object));
            push(JdkSizes.referent(object), step.weight, step.depth);
        }
    }

    private void fields(Step step) {
        ClassLayout layout = layout(step.object);
        bytes += step.weight * layout.bytes();
        for (Field field : layout.references()) {
            push(ClassLayout.read(field, step.object), step.weight, step.depth);
        }
    }

    private ClassLayout layout(Object object) {
        return layouts.computeIfAbsent(object.getClass(), ClassLayout::of);
    }

    private void array(Step step, Object[] array) {
        bytes += step.weight
                * ClassLayout.aligned(ClassLayout.ARRAY_BYTES + (long) ClassLayout.REFERENCE_BYTES * array.length);
        noteLargest(step, array.getClass().getComponentType().getName() + "[]", array.length);
        int sample = Math.min(array.length, sampleAt(step.depth));
        for (int i = 0; i < sample; i++) {
            push(array[(int) ((long) i * array.length / sample)], step.weight * array.length / sample, step.depth + 1);
        }
        exact &= sample == array.length;
    }

    private void map(Step step, Map<?, ?> map) {
        int size = map.size();
        bytes += step.weight * (layout(map).bytes() + JdkSizes.entryBytes(map) * size);
        noteLargest(step, map.getClass().getName(), size);
        int sample = Math.min(size, sampleAt(step.depth));
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        for (int i = 0; i < sample && entries.hasNext(); i++) {
            Map.Entry<?, ?> entry = entries.next();
            push(entry.getKey(), step.weight * size / sample, step.depth + 1);
            push(entry.getValue(), step.weight * size / sample, step.depth + 1);
        }
        exact &= sample == size;
    }

    private void iterable(Step step, Iterable<?> elements, int size) {
        bytes += step.weight * (layout(elements).bytes() + JdkSizes.entryBytes(elements) * size);
        noteLargest(step, elements.getClass().getName(), size);
        int sample = Math.min(size, sampleAt(step.depth));
        if (elements instanceof List<?> list && elements instanceof RandomAccess) {
            for (int i = 0; i < sample; i++) {
                push(list.get((int) ((long) i * size / sample)), step.weight * size / sample, step.depth + 1);
            }
        } else {
            Iterator<?> each = elements.iterator();
            for (int i = 0; i < sample && each.hasNext(); i++) {
                push(each.next(), step.weight * size / sample, step.depth + 1);
            }
        }
        exact &= sample == size;
    }

    private static int sampleAt(int depth) {
        return Math.max(LEAST_SAMPLE, SAMPLE >> Math.min(2 * depth, Integer.SIZE - 1));
    }

    private void noteLargest(Step step, String type, int elements) {
        double all = step.weight * elements;
        if (all > largestElements) {
            largestElements = all;
            largest = step.weight > 1
                    ? Math.round(step.weight) + " of " + type + " with " + elements + " entries each"
                    : "a " + type + " of " + elements + " entries";
        }
    }
}
