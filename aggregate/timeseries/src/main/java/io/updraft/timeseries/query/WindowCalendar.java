package io.updraft.timeseries.query;

import java.io.Serializable;
import java.time.ZoneId;
import java.util.Objects;

/**
 * Defines windows of a calendar, such as local days.
 *
 * @param unit the unit that each window takes
 * @param slide the unit from one window's start to the next; equal to the unit, or DAY for windows of a WEEK
 * @param zone the time zone of all windows; null if each row names its own
 * @param zoneField the text field of a row with the time zone of its windows; null if there is none
 */
public record WindowCalendar(CalendarUnit unit, CalendarUnit slide, ZoneId zone, String zoneField)
        implements Serializable {

    /**
     * Creates windows.
     *
     * @throws IllegalArgumentException when the unit and the slide do not fit, or when there is not either a zone or a field
     */
    public WindowCalendar {
        Objects.requireNonNull(unit, "unit");
        if (slide != unit && (unit != CalendarUnit.WEEK || slide != CalendarUnit.DAY)) {
            throw new IllegalArgumentException("windows of a " + unit + " cannot slide by a " + slide);
        }
        if ((zone == null) == (zoneField == null)) {
            throw new IllegalArgumentException("a calendar needs either a zone or a field");
        }
    }

    /** Creates windows of a zone that follow one another. */
    public static WindowCalendar of(CalendarUnit unit, ZoneId zone) {
        return new WindowCalendar(unit, unit, zone, null);
    }
}
