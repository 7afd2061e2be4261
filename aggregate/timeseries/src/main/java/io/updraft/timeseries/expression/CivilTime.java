package io.updraft.timeseries.expression;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;

/**
 * Dates and times of day of milliseconds since 1970, by arithmetic (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"),
 * because java.time allocates. The calendar is the proleptic Gregorian one. Not thread-safe.
 */
final class CivilTime {

    static final long DAY = 86_400_000;
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;

    /** Parts of a time; each name in SQL is one of these, or {@link #named} knows it. */
    enum Part {
        YEAR,
        QUARTER,
        MONTH,
        WEEK,
        DAY,
        HOUR,
        MINUTE,
        SECOND,
        MILLISECOND,
        DOW,
        ISODOW,
        DOY,
        EPOCH
    }

    private long year;
    private int month;
    private int day;

    /** Returns the part with a name; null if there is none. */
    static Part named(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "year", "years", "y", "yr" -> Part.YEAR;
            case "quarter", "quarters" -> Part.QUARTER;
            case "month", "months", "mon" -> Part.MONTH;
            case "week", "weeks", "w", "weekofyear" -> Part.WEEK;
            case "day", "days", "d", "dayofmonth" -> Part.DAY;
            case "hour", "hours", "h", "hr" -> Part.HOUR;
            case "minute", "minutes", "m", "min" -> Part.MINUTE;
            case "second", "seconds", "s", "sec" -> Part.SECOND;
            case "millisecond", "milliseconds", "ms", "msec" -> Part.MILLISECOND;
            case "dow", "dayofweek", "weekday" -> Part.DOW;
            case "isodow" -> Part.ISODOW;
            case "doy", "dayofyear" -> Part.DOY;
            case "epoch" -> Part.EPOCH;
            default -> null;
        };
    }

    private void set(long days) {
        long shifted = days + 719_468;
        long era = Math.floorDiv(shifted, 146_097);
        long dayOfEra = shifted - era * 146_097;
        long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int shiftedMonth = (int) ((5 * dayOfYear + 2) / 153);
        day = (int) (dayOfYear - (153L * shiftedMonth + 2) / 5) + 1;
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    }

    static long days(long year, int month, int day) {
        long shiftedYear = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(shiftedYear, 400);
        long yearOfEra = shiftedYear - era * 400;
        long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097 + dayOfEra - 719_468;
    }

    /** Returns a part of a time. */
    long part(Part part, long millis) {
        long days = Math.floorDiv(millis, DAY);
        long ofDay = millis - days * DAY;
        switch (part) {
            case HOUR:
                return ofDay / HOUR;
            case MINUTE:
                return ofDay / MINUTE % 60;
            case SECOND:
                return ofDay / 1000 % 60;
            case MILLISECOND:
                return ofDay % MINUTE;
            case EPOCH:
                return Math.floorDiv(millis, 1000L);
            case DOW:
                return Math.floorMod(days + 4, 7L);
            case ISODOW:
                return Math.floorMod(days + 3, 7L) + 1;
            default:
                set(days);
        }
        return switch (part) {
            case YEAR -> year;
            case QUARTER -> (month + 2) / 3;
            case MONTH -> month;
            case DAY -> day;
            case DOY -> days - days(year, 1, 1) + 1;
            default -> week(days);
        };
    }

    /** Returns the week of ISO 8601: that of the week's Thursday in its year. */
    private long week(long days) {
        long thursday = days - Math.floorMod(days + 3, 7L) + 3;
        set(thursday);
        return (thursday - days(year, 1, 1)) / 7 + 1;
    }

    /** Returns the start of the part of a time; a time that has no such part is returned as it is. */
    long truncated(Part part, long millis) {
        long days = Math.floorDiv(millis, DAY);
        switch (part) {
            case MILLISECOND:
                return millis;
            case SECOND:
                return millis - Math.floorMod(millis, 1000L);
            case MINUTE:
                return millis - Math.floorMod(millis, MINUTE);
            case HOUR:
                return millis - Math.floorMod(millis, HOUR);
            case DAY:
                return days * DAY;
            case WEEK:
                return (days - Math.floorMod(days + 3, 7L)) * DAY;
            default:
                set(days);
        }
        int first = part == Part.YEAR ? 1 : part == Part.QUARTER ? (month - 1) / 3 * 3 + 1 : month;
        return days(year, first, 1) * DAY;
    }

    /** Adds months; a day that the month lacks becomes its last one. */
    long plusMonths(long millis, long months) {
        long days = Math.floorDiv(millis, DAY);
        set(days);
        long all = year * 12 + month - 1 + months;
        long toYear = Math.floorDiv(all, 12L);
        int toMonth = (int) Math.floorMod(all, 12L) + 1;
        long first = days(toYear, toMonth, 1);
        long length = days(toMonth == 12 ? toYear + 1 : toYear, toMonth == 12 ? 1 : toMonth + 1, 1) - first;
        return (first + Math.min(day, length) - 1) * DAY + millis - days * DAY;
    }

    /** Returns how many starts of a part lie between two times; of weeks, as DuckDB, how many fit between them. */
    long difference(Part part, long from, long to) {
        return switch (part) {
            case YEAR -> part(Part.YEAR, to) - part(Part.YEAR, from);
            case QUARTER -> quarters(to) - quarters(from);
            case MONTH -> months(to) - months(from);
            case WEEK -> difference(Part.DAY, from, to) / 7;
            case DAY -> (truncated(Part.DAY, to) - truncated(Part.DAY, from)) / DAY;
            case HOUR -> (truncated(Part.HOUR, to) - truncated(Part.HOUR, from)) / HOUR;
            case MINUTE -> (truncated(Part.MINUTE, to) - truncated(Part.MINUTE, from)) / MINUTE;
            case SECOND -> (truncated(Part.SECOND, to) - truncated(Part.SECOND, from)) / 1000;
            default -> to - from;
        };
    }

    private long quarters(long millis) {
        return part(Part.YEAR, millis) * 4 + part(Part.QUARTER, millis);
    }

    private long months(long millis) {
        return part(Part.YEAR, millis) * 12 + part(Part.MONTH, millis);
    }

    /** Appends {@code yyyy-MM-dd HH:mm:ss}, and milliseconds if there are any. */
    void write(long millis, TextBuilder into) {
        long days = Math.floorDiv(millis, DAY);
        long ofDay = millis - days * DAY;
        set(days);
        StringBuilder text = new StringBuilder(24);
        text.append(year > 9999 || year < 0 ? Long.toString(year) : digits(year, 4));
        text.append('-')
                .append(digits(month, 2))
                .append('-')
                .append(digits(day, 2))
                .append(' ');
        text.append(digits(ofDay / HOUR, 2)).append(':').append(digits(ofDay / MINUTE % 60, 2));
        text.append(':').append(digits(ofDay / 1000 % 60, 2));
        if (ofDay % 1000 != 0) {
            text.append(('.' + digits(ofDay % 1000, 3)).replaceAll("0+$", ""));
        }
        byte[] ascii = text.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        into.add(ascii, 0, ascii.length);
    }

    static String digits(long number, int width) {
        String text = Long.toString(number);
        return "0".repeat(Math.max(0, width - text.length())) + text;
    }

    /** The offsets of a zone. Remembers the last interval without a change. One thread only. */
    static final class Offsets {

        private final ZoneRules rules;
        private long from = Long.MAX_VALUE;
        private long to = Long.MIN_VALUE;
        private long offset;

        Offsets(ZoneId zone) {
            rules = zone.getRules();
        }

        /** Returns the local time of an instant, as if it were UTC. */
        long local(long millis) {
            if (millis < from || millis >= to) {
                Instant at = Instant.ofEpochMilli(millis);
                offset = rules.getOffset(at).getTotalSeconds() * 1000L;
                ZoneOffsetTransition before = rules.isFixedOffset() ? null : rules.previousTransition(at.plusMillis(1));
                ZoneOffsetTransition after = rules.isFixedOffset() ? null : rules.nextTransition(at);
                from = before == null ? Long.MIN_VALUE : before.getInstant().toEpochMilli();
                to = after == null ? Long.MAX_VALUE : after.getInstant().toEpochMilli();
            }
            return millis + offset;
        }

        /**
         * Returns the instant of a local time. One that the zone skips is moved ahead by the skipped time; of a repeated one, the
         * first counts.
         */
        long instant(long local) {
            java.time.LocalDateTime time = java.time.LocalDateTime.ofEpochSecond(
                    Math.floorDiv(local, 1000L),
                    (int) Math.floorMod(local, 1000L) * 1_000_000,
                    java.time.ZoneOffset.UTC);
            ZoneOffsetTransition gap = rules.getTransition(time);
            long seconds = (gap != null ? gap.getOffsetBefore() : rules.getOffset(time)).getTotalSeconds();
            return local - seconds * 1000;
        }
    }
}
