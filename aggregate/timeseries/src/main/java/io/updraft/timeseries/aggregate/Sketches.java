package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * Estimates, computed by Apache DataSketches.
 *
 * <p>Different values: HyperLogLog with 4096 registers (standard error 1.6%; some 100 bytes for few values, at most 2.6 KB).
 * The composite estimate depends on the registers only, not on their history. So the order of records and the number of tasks
 * do not change it.
 *
 * <p>Quantiles: KLL with k = 200 (the rank is off by at most 1.4% with a probability of 99%; exact up to 200 values; at most
 * some 5 KB). KLL is randomized, so two runs may differ within that error.
 */
final class Sketches {

    private static final int LOG_REGISTERS = 12;
    private static final TgtHllType REGISTERS = TgtHllType.HLL_4;
    /** The bytes of a HyperLogLog's objects and array headers, in addition to its registers. */
    private static final int OBJECTS = 160;

    private Sketches() {}

    static HllSketch newDistinct() {
        return new HllSketch(LOG_REGISTERS, REGISTERS);
    }

    static void addDistinct(HllSketch sketch, RecordRow row, int slot) {
        sketch.update(
                switch (row.kind(slot)) {
                    case RecordRow.UTF8 -> KeyHash.of(row.utf8(slot), row.from(slot), row.length(slot));
                    case RecordRow.STRING -> hash(row.string(slot));
                    // Adding 0.0 makes -0.0 and 0.0 equal, and doubleToLongBits makes all NaNs equal.
                    case RecordRow.DOUBLE -> Double.doubleToLongBits(row.getDouble(slot) + 0.0);
                    default -> row.getLong(slot);
                });
    }

    private static long hash(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return KeyHash.of(utf8, 0, utf8.length);
    }

    /** Returns the union of two sketches, without changing either. Either may be null. */
    static Object merge(Object one, Object other) {
        if (one == null || other == null) {
            return copy(one == null ? other : one);
        }
        if (one instanceof HllSketch) {
            Union union = new Union(LOG_REGISTERS);
            union.update((HllSketch) one);
            union.update((HllSketch) other);
            return union.getResult(REGISTERS);
        }
        Quantiles both = ((Quantiles) one).copy();
        both.add((Quantiles) other);
        return both;
    }

    static Object copy(Object sketch) {
        if (sketch instanceof HllSketch distinct) {
            return distinct.copy();
        }
        if (sketch instanceof ValueCounts values) {
            return values.copy();
        }
        return sketch == null ? null : ((Quantiles) sketch).copy();
    }

    /** Returns the estimate. A null sketch has no values. */
    static long distinct(HllSketch sketch) {
        return sketch == null ? 0 : Math.round(sketch.getCompositeEstimate());
    }

    /** Returns whether DataSketches can serialize sketches on this JVM: version 6.2.0 only on the long-term releases up to 21. */
    static boolean canBeBytes() {
        int version = Runtime.version().feature();
        return version == 17 || version == 21;
    }

    /**
     * Checks that sketches can be serialized on this JVM.
     *
     * @throws IllegalArgumentException if they cannot
     */
    static void checkCanBeBytes(Path spill) {
        if (!canBeBytes()) {
            throw new IllegalArgumentException(
                    "estimates of different values and quantiles cannot be evicted to " + spill
                            + " on Java " + Runtime.version().feature()
                            + ": run Java 17 or 21, or remove these measures or the directory");
        }
    }

    static byte[] toBytes(Object sketch) {
        if (sketch == null) {
            return new byte[0];
        }
        return sketch instanceof HllSketch distinct ? distinct.toUpdatableByteArray() : ((Quantiles) sketch).toBytes();
    }

    static Object fromBytes(byte[] bytes, int code) {
        if (bytes.length == 0) {
            return null;
        }
        return code == GroupLayout.DISTINCT ? HllSketch.heapify(bytes) : Quantiles.fromBytes(bytes);
    }

    static long bytes(Object sketch) {
        if (sketch == null) {
            return 0;
        }
        if (sketch instanceof ValueCounts values) {
            return values.bytes();
        }
        return sketch instanceof HllSketch distinct
                ? OBJECTS + distinct.getUpdatableSerializationBytes()
                : ((Quantiles) sketch).bytes();
    }
}
