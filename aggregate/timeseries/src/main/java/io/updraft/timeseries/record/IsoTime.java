package io.updraft.timeseries.record;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Parses ISO 8601 times in place: {@code 2013-01-31}, {@code 2013-01-31T09:30}, {@code 2013-01-31 09:30:15.123456Z},
 * {@code 2013-01-31T09:30:15+01:00}, {@code 2013-01-31 09:30:15 +0100}. Fractions of a second are cut to milliseconds.
 */
public final class IsoTime {

    /** Returned for text that is not a time. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int DATE = 10;
    private static final int MINUTES = 16;
    private static final int[] DAYS_BEFORE = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

    private IsoTime() {}

    /** Returns milliseconds since 1970, or {@link #NONE}. The zone applies to times without an offset. */
    public static long parse(byte[] text, int from, int length, ZoneId zone) {
        long days = length < DATE ? NONE : date(text, from);
        if (days == NONE) {
            return NONE;
        }
        long local = days * 86_400_000L;
        if (length == DATE) {
            return inZone(local, zone);
        }
        int separator = text[from + DATE] | 0x20;
        if (length < MINUTES || (separator != 't' && separator != ' ')) {
            return NONE;
        }
        return time(text, from + DATE + 1, from + length, local, zone);
    }

    private static long date(byte[] text, int at) {
        int year = digits(text, at, 4);
        int month = digits(text, at + 5, 2);
        int day = digits(text, at + 8, 2);
        boolean marked = text[at + 4] == '-' && text[at + 7] == '-';
        if (!marked || year < 0 || month < 1 || month > 12 || day < 1) {
            return NONE;
        }
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        int leapDay = leap && month > 2 ? 1 : 0;
        int daysOfMonth = DAYS_BEFORE[month] - DAYS_BEFORE[month - 1] + (leap && month == 2 ? 1 : 0);
        long before = year == 0 ? -1 : year - 1;
        long leapDays = Math.floorDiv(before, 4) - Math.floorDiv(before, 100) + Math.floorDiv(before, 400);
        return day > daysOfMonth
                ? NONE
                : year * 365L + leapDays + DAYS_BEFORE[month - 1] + leapDay + day - 1 - 719_527L;
    }

    private static long time(byte[] text, int start, int end, long date, ZoneId zone) {
        int hour = digits(text, start, 2);
        int minute = text[start + 2] == ':' ? digits(text, start + 3, 2) : -1;
        int at = start + 5;
        int second = 0;
        if (at < end && text[at] == ':') {
            second = end - at < 3 ? -1 : digits(text, at + 1, 2);
            at += 3;
        }
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
            return NONE;
        }
        long local = date + (hour * 60L + minute) * 60_000 + second * 1_000L;
        if (at < end && (text[at] == '.' || text[at] == ',')) {
            int first = ++at;
            int scale = 100;
            while (at < end && text[at] >= '0' && text[at] <= '9') {
                local += (text[at++] - '0') * (long) scale;
                scale /= 10;
            }
            if (at == first) {
                return NONE;
            }
        }
        if (at == end) {
            return inZone(local, zone);
        }
        return atOffset(text, text[at] == ' ' && at + 1 < end ? at + 1 : at, end, local);
    }

    /** Applies an offset: {@code Z}, {@code +hh}, {@code +hhmm} or {@code +hh:mm}. */
    private static long atOffset(byte[] text, int at, int end, long local) {
        int length = end - at;
        if (length == 1) {
            return (text[at] | 0x20) == 'z' ? local : NONE;
        }
        boolean colon = length == 6 && text[at + 3] == ':';
        boolean fits = (text[at] == '+' || text[at] == '-') && (length == 3 || length == 5 || colon);
        int hours = fits ? digits(text, at + 1, 2) : -1;
        int minutes = !fits ? -1 : length == 3 ? 0 : digits(text, end - 2, 2);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NONE;
        }
        long offset = (hours * 60L + minutes) * 60_000;
        return text[at] == '+' ? local - offset : local + offset;
    }

    /** Applies a zone. Allocates if the zone's offset depends on the time. */
    private static long inZone(long local, ZoneId zone) {
        if (zone instanceof ZoneOffset offset) {
            return local - offset.getTotalSeconds() * 1_000L;
        }
        try {
            long second = Math.floorDiv(local, 1_000);
            LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
            return time.atZone(zone).toEpochSecond() * 1_000 + Math.floorMod(local, 1_000);
        } catch (DateTimeException e) {
            return NONE;
        }
    }

    private static int digits(byte[] text, int at, int count) {
        int number = 0;
        for (int i = at; i < at + count; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
