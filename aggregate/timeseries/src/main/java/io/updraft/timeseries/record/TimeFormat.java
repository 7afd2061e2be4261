package io.updraft.timeseries.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
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
        /** A pattern of {@link DateTimeFormatter}, parsed strictly with English names; allocates for each time. */
        PATTERN
    }

    private static final ZonedDateTime SAMPLE = ZonedDateTime.of(2013, 1, 31, 9, 30, 15, 0, ZoneOffset.UTC);

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
            check(pattern, zone);
        }
    }

    private static void check(String pattern, ZoneId zone) {
        DateTimeFormatter formatter;
        try {
            formatter = strict(pattern, zone);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("time pattern " + pattern + " is invalid: " + e.getMessage(), e);
        }
        try {
            millis(formatter.parse(formatter.format(SAMPLE)));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "time pattern " + pattern
                            + " does not make a time: it needs year, month and day, and if it has minutes,"
                            + " the hour of the day (HH, or hh with a)",
                    e);
        }
    }

    /**
     * Returns a formatter that parses the pattern strictly, with English names and this zone for texts that name none.
     *
     * @return a new formatter for {@link #millis}; null if there is no pattern
     */
    public DateTimeFormatter formatter() {
        return pattern == null ? null : strict(pattern, zone);
    }

    /** In strict parsing, a year of an era (y) needs the era, so that a pattern without one means the year itself (u). */
    private static DateTimeFormatter strict(String pattern, ZoneId zone) {
        return DateTimeFormatter.ofPattern(withPlainYear(pattern), Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT)
                .withZone(zone);
    }

    private static String withPlainYear(String pattern) {
        StringBuilder plain = new StringBuilder();
        boolean literal = false;
        boolean era = false;
        for (char c : pattern.toCharArray()) {
            literal ^= c == '\'';
            era |= !literal && c == 'G';
            plain.append(!literal && c == 'y' ? 'u' : c);
        }
        return era ? pattern : plain.toString();
    }

    /**
     * Returns the time that a formatter has parsed, which is the start of the day if there is only a date.
     *
     * @return milliseconds since 1970
     * @throws DateTimeException when there is no date
     */
    public static long millis(TemporalAccessor parsed) {
        if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
            return Instant.from(parsed).toEpochMilli();
        }
        // A time that is there but incomplete, as minutes without an hour, must not become the start of the day.
        if (parsed.query(TemporalQueries.localTime()) == null && hasTime(parsed)) {
            throw new DateTimeException("an incomplete time");
        }
        ZoneId zone = parsed.isSupported(ChronoField.OFFSET_SECONDS)
                ? ZoneOffset.ofTotalSeconds(parsed.get(ChronoField.OFFSET_SECONDS))
                : parsed.query(TemporalQueries.zone());
        return LocalDate.from(parsed).atStartOfDay(zone).toInstant().toEpochMilli();
    }

    private static boolean hasTime(TemporalAccessor parsed) {
        for (ChronoField field : ChronoField.values()) {
            if (field.isTimeBased() && parsed.isSupported(field)) {
                return true;
            }
        }
        return false;
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
