package io.updraft.timeseries.query;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;

/** A unit of the calendar. */
public enum CalendarUnit {
    /** From midnight to midnight. */
    DAY(1),
    /** From Monday to Sunday. */
    WEEK(7),
    /** A month. */
    MONTH(31),
    /** Three months, the first from January to March. */
    QUARTER(92),
    /** A year. */
    YEAR(366);

    /** By how much clocks are set back. A few zones have done so by more, such as Vostok in 1994. */
    private static final Duration CLOCK_CHANGE = Duration.ofHours(1);

    private final int days;

    CalendarUnit(int days) {
        this.days = days;
    }

    /** {@return the most days of the unit} */
    public int days() {
        return days;
    }

    /** {@return the longest time that the unit takes, with the hour for which clocks are set back; rarely a zone takes some more} */
    public Duration longest() {
        return Duration.ofDays(days).plus(CLOCK_CHANGE);
    }

    /** Returns the first day of the unit that contains a day. */
    LocalDate first(LocalDate day) {
        return switch (this) {
            case DAY -> day;
            case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> day.withDayOfMonth(1);
            case QUARTER -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3);
            case YEAR -> day.withDayOfYear(1);
        };
    }

    /** Returns the day some units later. */
    LocalDate plus(LocalDate day, int units) {
        return switch (this) {
            case DAY -> day.plusDays(units);
            case WEEK -> day.plusWeeks(units);
            case MONTH -> day.plusMonths(units);
            case QUARTER -> day.plusMonths(3L * units);
            case YEAR -> day.plusYears(units);
        };
    }
}
