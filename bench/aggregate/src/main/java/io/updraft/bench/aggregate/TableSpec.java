package io.updraft.bench.aggregate;

import io.updraft.base.json.Json;
import io.updraft.bench.report.NumberFormats;
import java.io.Serializable;

/**
 * The records of aggregation alone.
 *
 * @param recordsPerWindow the number of records per window; groups are emitted when the window ends
 */
record TableSpec(int dimensions, int measures, int keys, long recordsPerWindow) implements Serializable {

    private static final String PROPERTY = "updraft.bench.table";
    private static final long ABOUT_A_WINDOW = 10_000_000;

    /** Chooses the window size: about ten million records, the same number for every key. */
    public TableSpec(int dimensions, int measures, int keys) {
        this(dimensions, measures, keys, Math.max(1, ABOUT_A_WINDOW / keys) * keys);
    }

    /** {@return the option of a JVM that gives it this specification} */
    public String option() {
        return "-D" + PROPERTY + "=" + Json.write(this);
    }

    /** {@return the specification of this JVM} */
    static TableSpec ofThisProcess() {
        return Json.read(System.getProperty(PROPERTY), TableSpec.class);
    }

    /** {@return the shape, such as {@code 6x4, 10,000 keys}} */
    public String title() {
        return dimensions + "x" + measures + ", " + NumberFormats.count(keys) + " keys";
    }
}
