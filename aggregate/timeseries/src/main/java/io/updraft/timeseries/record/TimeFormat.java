package io.updraft.timeseries.record;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;

/**
 * The format of a time.
 *
 * @param kind the kind of format
 * @param pattern a pattern of {@link DateTimeFormatter}, for {@link Kind#PATTERN}; else null
 * @param zone the zone of times whose text names none
 */
public record TimeFormat(Kind kind, String pattern, ZoneId zone) {

    /** The kinds of formats. */
    public enum Kind {
        /** ISO 8601: a date, or a date and a time to the second or nanosecond with or without an offset. */
        ISO,
        /** Seconds since 1970, optionally with a fraction. */
        SECONDS,
        /** Milliseconds since 1970. */
        MILLIS,
        /** Microseconds since 1970. */
        MICROS,
        /** Nanoseconds since 1970. */
        NANOS,
        /** A pattern of {@link DateTimeFormatter}; allocates for each time. */
        PATTERN
    }

    /** ISO 8601, with UTC for times without an offset. */
    public static final TimeFormat ISO = new TimeFormat(Kind.ISO, null, ZoneOffset.UTC);

    /**
     * Creates a format.
     *
     * @throws IllegalArgumentException when the pattern is invalid
     */
    public TimeFormat {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(zone, "zone");
        if ((kind == Kind.PATTERN) != (pattern != null)) {
            throw new IllegalArgumentException(
                    "a time of kind " + kind + (pattern == null ? " needs a" : " has no") + " pattern");
        }
        if (pattern != null) {
            try {
                DateTimeFormatter.ofPattern(pattern);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("time pattern " + pattern + " is invalid: " + e.getMessage(), e);
            }
        }
    }

    /** Returns a format for a number since 1970. */
    public static TimeFormat epoch(Kind kind) {
        return new TimeFormat(kind, null, ZoneOffset.UTC);
    }

    /**
     * Returns a format with a pattern of {@link DateTimeFormatter}.
     *
     * @throws IllegalArgumentException when the pattern is invalid
     */
    public static TimeFormat pattern(String pattern, ZoneId zone) {
        return new TimeFormat(Kind.PATTERN, pattern, zone);
    }
}
