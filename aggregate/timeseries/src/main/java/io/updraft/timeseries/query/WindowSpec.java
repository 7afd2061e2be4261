package io.updraft.timeseries.query;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * Defines windows. All times are UTC, and windows are aligned to 1970-01-01T00:00:00Z.
 *
 * @param size the length of each window; whole milliseconds, at least one
 * @param slide the time from one window's start to the next; equal to the size for tumbling windows, else a divisor of
 *     the size
 * @param lateness how long after its end a window still takes records; it is emitted again with them
 */
public record WindowSpec(Duration size, Duration slide, Duration lateness) implements Serializable {

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 4);

    /** One window for all rows, which must be added with time 0. */
    public static final WindowSpec ALL_TIME = tumbling(LONGEST);

    /**
     * Creates windows.
     *
     * @throws IllegalArgumentException when the durations are not as described
     */
    public WindowSpec {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(slide, "slide");
        Objects.requireNonNull(lateness, "lateness");
        checkLength("size", size);
        checkLength("slide", slide);
        if (slide.compareTo(size) > 0) {
            throw new IllegalArgumentException("windows that slide by more than their size would leave records out");
        }
        if (size.toMillis() % slide.toMillis() != 0) {
            throw new IllegalArgumentException(
                    "the slide of windows must divide their size, but " + size + " is not a multiple of " + slide);
        }
        if (lateness.isNegative()) {
            throw new IllegalArgumentException("lateness cannot be negative");
        }
    }

    private static void checkLength(String name, Duration length) {
        boolean whole = length.getNano() % 1_000_000 == 0;
        if (!whole || length.isNegative() || length.isZero() || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the " + name + " of windows must be whole milliseconds, at least one, not " + length);
        }
    }

    /** Creates windows that follow one another without a gap, and take no record after their end. */
    public static WindowSpec tumbling(Duration size) {
        return new WindowSpec(size, size, Duration.ZERO);
    }
}
