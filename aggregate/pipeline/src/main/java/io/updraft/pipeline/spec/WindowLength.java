package io.updraft.pipeline.spec;

import io.updraft.timeseries.query.CalendarUnit;
import java.time.Duration;

/** The length of windows as a description states it. No record, since a record is a section of a description. */
final class WindowLength {

    private final Duration fixed;
    private final CalendarUnit unit;

    /** Creates a length of whole milliseconds, or of a unit of the calendar; the other one is null. */
    WindowLength(Duration fixed, CalendarUnit unit) {
        this.fixed = fixed;
        this.unit = unit;
    }

    /** Reads a duration such as {@code 5m}, or a unit such as {@code day}. */
    static WindowLength parse(String text) {
        if (text.chars().allMatch(Character::isLetter) && !text.isEmpty()) {
            return new WindowLength(null, EnumText.parse(CalendarUnit.class, text));
        }
        Duration fixed = QuantityText.duration(text);
        if (fixed.isZero() || fixed.toNanos() % 1_000_000 != 0) {
            throw new IllegalArgumentException("'" + text + "' must be whole milliseconds, and at least 1ms");
        }
        return new WindowLength(fixed, null);
    }

    /** {@return the length; null for a unit of the calendar} */
    Duration fixed() {
        return fixed;
    }

    /** {@return the unit of the calendar; null for a fixed length} */
    CalendarUnit unit() {
        return unit;
    }

    /** {@return the length; of a unit, without changes of clocks, and the longest if units differ} */
    Duration length() {
        return unit == null ? fixed : Duration.ofDays(unit.days());
    }

    /** Writes what {@link #parse} reads. */
    @Override
    public String toString() {
        return unit == null ? QuantityText.write(fixed) : EnumText.write(unit);
    }
}
