package io.updraft.pipeline.sql;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Intervals of SQL as a pipeline has them. */
final class SqlIntervals {

    private static final Pattern INTERVAL = Pattern.compile("([0-9]+)\\s*([a-z]+?)s?", Pattern.CASE_INSENSITIVE);
    private static final Map<String, String> UNITS =
            Map.of("millisecond", "ms", "second", "s", "minute", "m", "hour", "h", "day", "d");

    private SqlIntervals() {}

    /**
     * Returns the length of a window; null if windows cannot have it.
     *
     * @param zoned whether windows are those of a time zone: then a day is one of the calendar
     */
    static String window(String interval, boolean zoned) {
        Matcher matcher = INTERVAL.matcher(interval.strip());
        if (!matcher.matches()) {
            return null;
        }
        String number = matcher.group(1);
        String unit = matcher.group(2).toLowerCase(Locale.ROOT);
        boolean isCalendar =
                unit.equals("week") || unit.equals("month") || unit.equals("quarter") || unit.equals("year");
        if (number.equals("1") && (isCalendar || zoned && unit.equals("day"))) {
            return unit;
        }
        return UNITS.containsKey(unit) ? number + UNITS.get(unit) : null;
    }
}
