package io.updraft.timeseries.expression;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads spans of time such as {@code 1 month 12 hours}. */
final class Intervals {

    private static final Pattern PART = Pattern.compile("\\s*([+-]?\\d{1,9})\\s*([a-zA-Z]+)");

    private Intervals() {}

    /** A span of time: months, whose lengths differ, and milliseconds. */
    record Interval(long months, long millis) {}

    /** Returns a span; null if the text is none. */
    static Interval parse(String text) {
        Matcher matcher = PART.matcher(text);
        long months = 0;
        long millis = 0;
        int at = 0;
        while (at < text.length() && matcher.find(at) && matcher.start() == at) {
            long number = Long.parseLong(matcher.group(1));
            CivilTime.Part part = CivilTime.named(matcher.group(2));
            if (part == null) {
                return null;
            }
            switch (part) {
                case YEAR -> months += 12 * number;
                case QUARTER -> months += 3 * number;
                case MONTH -> months += number;
                case WEEK -> millis += 7 * CivilTime.DAY * number;
                case DAY -> millis += CivilTime.DAY * number;
                case HOUR -> millis += 3_600_000 * number;
                case MINUTE -> millis += 60_000 * number;
                case SECOND -> millis += 1_000 * number;
                case MILLISECOND -> millis += number;
                default -> {
                    return null;
                }
            }
            at = matcher.end();
        }
        return at == 0 || !text.substring(at).isBlank() ? null : new Interval(months, millis);
    }
}
