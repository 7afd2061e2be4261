package io.updraft.timeseries.query;

import java.io.Serializable;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/**
 * Defines windows. All times are UTC. Windows of a fixed length are aligned to 1970-01-01T00:00:00Z, others to a calendar.
 *
 * @param size the length of each window; whole milliseconds, at least one. Of windows of a calendar, the longest length
 * @param slide the time from one window's start to the next; equal to the size for tumbling windows, else a divisor of
 *     the size. Of windows of a calendar, the longest time
 * @param lateness how long after its end a window still takes records; it is emitted again with them
 * @param calendar the calendar of the windows; null for a fixed length
 */
public record WindowSpec(Duration size, Duration slide, Duration lateness, WindowCalendar calendar)
        implements Serializable {

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 4);

    /** How often windows are closed if rows name their zones. Their ends are then not known before. */
    private static final long ZONE_MILLIS = Duration.ofMinutes(15).toMillis();

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
        if (calendar != null && !size.equals(calendar.unit().longest())) {
            throw new IllegalArgumentException("windows of a calendar have its length, not " + size);
        }
        if (calendar == null && size.toMillis() % slide.toMillis() != 0) {
            throw new IllegalArgumentException(
                    "the slide of windows must divide their size, but " + size + " is not a multiple of " + slide);
        }
        if (lateness.isNegative()) {
            throw new IllegalArgumentException("lateness cannot be negative");
        }
    }

    /**
     * Creates windows of a fixed length.
     *
     * @throws IllegalArgumentException when the durations are not as described
     */
    public WindowSpec(Duration size, Duration slide, Duration lateness) {
        this(size, slide, lateness, null);
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

    /** Creates windows of a calendar. */
    public static WindowSpec of(WindowCalendar calendar, Duration lateness) {
        return new WindowSpec(calendar.unit().longest(), calendar.slide().longest(), lateness, calendar);
    }

    /** Returns the field of a row with the zone of its windows; null if all rows have the same windows. */
    public String zoneField() {
        return calendar == null ? null : calendar.zoneField();
    }

    /** Returns the windows of all rows. */
    public WindowGrid grid() {
        return calendar == null
                ? WindowGrid.fixed(size.toMillis(), slide.toMillis())
                : WindowGrid.of(calendar, calendar.zone());
    }

    /** Returns the windows of rows that name a zone. There must be a {@link #zoneField}. */
    public WindowGrid grid(ZoneId zone) {
        return WindowGrid.of(calendar, zone);
    }

    /**
     * Returns the times at which windows are closed, as the starts of windows: the ends of the windows. If rows name their zones,
     * returns each quarter of an hour, whatever zones the rows name.
     */
    public WindowGrid closings() {
        return zoneField() == null ? grid() : WindowGrid.fixed(ZONE_MILLIS, ZONE_MILLIS);
    }
}
