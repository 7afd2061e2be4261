package io.updraft.timeseries.aggregate;

import java.util.Arrays;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.kll.KllSketch.SketchType;
import org.apache.datasketches.memory.Memory;

/**
 * Estimates quantiles. Most groups have few values, and a KLL sketch allocates room for 200 at once. So the values are kept as
 * they are until there are {@link #MOST_VALUES}. The result is the same: a sketch is exact up to its 200 values. One thread only.
 */
final class Quantiles {

    private static final int MOST_VALUES = 64;
    /** The bytes of this object with the header of its array. */
    private static final int OBJECTS = 48;
    /** The bytes of a sketch's objects and array headers, in addition to its numbers. */
    private static final int SKETCH_OBJECTS = 160;

    /** The values; null once they are in the sketch. */
    private double[] values = new double[2];

    private int size;
    /** All values; null while they are in the array. */
    private KllDoublesSketch sketch;

    /** Adds a value. NaN is no value, as in KLL. */
    void add(double value) {
        if (sketch != null) {
            sketch.update(value);
        } else if (!Double.isNaN(value)) {
            addFew(value);
        }
    }

    private void addFew(double value) {
        if (size == MOST_VALUES) {
            become(sketch());
            sketch.update(value);
            return;
        }
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    private void become(KllDoublesSketch merged) {
        sketch = merged;
        values = null;
    }

    /** Adds all values of {@code other}, which does not change. */
    void add(Quantiles other) {
        if (other.sketch == null) {
            for (int i = 0; i < other.size; i++) {
                add(other.values[i]);
            }
            return;
        }
        if (sketch == null) {
            become(sketch());
        }
        sketch.merge(other.sketch);
    }

    Quantiles copy() {
        Quantiles copy = new Quantiles();
        if (sketch == null) {
            copy.values = values.clone();
            copy.size = size;
        } else {
            copy.add(this);
        }
        return copy;
    }

    /** Returns a sketch of all values, not to be changed. */
    KllDoublesSketch sketch() {
        if (sketch != null) {
            return sketch;
        }
        KllDoublesSketch merged = KllDoublesSketch.newHeapInstance();
        for (int i = 0; i < size; i++) {
            merged.update(values[i]);
        }
        return merged;
    }

    byte[] toBytes() {
        return sketch().toByteArray();
    }

    static Quantiles fromBytes(byte[] bytes) {
        KllDoublesSketch merged = KllDoublesSketch.heapify(Memory.wrap(bytes));
        Quantiles quantiles = new Quantiles();
        if (merged.getN() > MOST_VALUES) {
            quantiles.become(merged);
            return quantiles;
        }
        for (var each = merged.iterator(); each.next(); ) {
            quantiles.add(each.getQuantile());
        }
        return quantiles;
    }

    /** Returns the bytes allocated. A sketch has memory for the values of all its levels, which it seldom fills. */
    long bytes() {
        return OBJECTS
                + (sketch == null
                        ? 8L * values.length
                        : SKETCH_OBJECTS
                                + KllDoublesSketch.getMaxSerializedSizeBytes(
                                        sketch.getK(), sketch.getN(), SketchType.DOUBLES_SKETCH, true));
    }
}
