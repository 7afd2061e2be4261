package io.updraft.timeseries.query;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * Defines windows. All times are UTC, and windows are aligned to 1970-01-01T00:00:00Z.
 *
 * @param size the length of each window; at least a millisecond
 * @param slide the time from one window's start to the next; equal to the size for tumbling windows, never longer
 * @param lateness how long after its end a window still takes records; it is emitted again with them
 */
public record WindowSpec(Duration size, Duration slide, Duration lateness) implements Serializable {

    /** One window for all rows, which must be added with time 0. */
    public static final WindowSpec ALL_TIME = tumbling(Duration.ofMillis(Long.MAX_VALUE / 4));

    /**
     * Creates windows.
     *
     * @throws IllegalArgumentException when the durations are not as described
     */
    public WindowSpec {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(slide, "slide");
        Objects.requireNonNull(lateness, "lateness");
        if (size.toMillis() < 1 || slide.toMillis() < 1) {
            throw new IllegalArgumentException("the size and the slide of windows must be at least one millisecond");
        }
        if (slide.compareTo(size) > 0) {
            throw new IllegalArgumentException("windows that slide by more than their size would leave records out");
        }
        if (lateness.isNegative()) {
            throw new IllegalArgumentException("lateness cannot be negative");
        }
    }

    /** Creates windows that follow one another without a gap, and take no record after their end. */
    public static WindowSpec tumbling(Duration size) {
        return new WindowSpec(size, size, Duration.ZERO);
    }
}
