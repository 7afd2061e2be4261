package io.updraft.pipeline.spec;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations such as {@code 250ms} and {@code 5m}, and sizes such as {@code 64MB}. */
final class QuantityText {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*([a-zA-Z]*)");

    private QuantityText() {}

    /** The word for any disorder in a description. */
    static final String ANY = "any";

    /** Reads a duration: a number and {@code ns}, {@code us}, {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}. */
    public static Duration duration(String text) {
        Matcher form = FORM.matcher(text.strip());
        long unit = form.matches() ? nanos(form.group(2)) : 0;
        if (unit == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write a number and a unit: 250ms, 30s, 5m, 2h, 1d");
        }
        Long nanos = exact(form.group(1), unit);
        if (nanos == null) {
            throw new IllegalArgumentException("'" + text + "' is too long; the limit is 292 years");
        }
        return Duration.ofNanos(nanos);
    }

    private static Long exact(String number, long unit) {
        try {
            return new BigDecimal(number)
                    .multiply(BigDecimal.valueOf(unit))
                    .toBigInteger()
                    .longValueExact();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private static long nanos(String unit) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "d" -> 86_400_000_000_000L;
            default -> 0L;
        };
    }

    /** Reads a size: a number of bytes, or a number and {@code KB}, {@code MB} or {@code GB} (powers of 1024). */
    public static long size(String text) {
        Matcher form = FORM.matcher(text.strip());
        long unit = form.matches() ? bytes(form.group(2).toUpperCase(Locale.ROOT)) : 0;
        Long size = unit == 0 ? null : exact(form.group(1), unit);
        if (size == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write bytes, or a number and KB, MB or GB: 64MB");
        }
        return size;
    }

    private static long bytes(String unit) {
        return switch (unit) {
            case "", "B" -> 1L;
            case "K", "KB", "KIB" -> 1L << 10;
            case "M", "MB", "MIB" -> 1L << 20;
            case "G", "GB", "GIB" -> 1L << 30;
            default -> 0L;
        };
    }

    /** Writes a duration as {@link #duration} reads it. */
    public static String write(Duration duration) {
        long nanos = duration.toNanos();
        for (String name : List.of("d", "h", "m", "s", "ms", "us")) {
            if (nanos != 0 && nanos % nanos(name) == 0) {
                return nanos / nanos(name) + name;
            }
        }
        return nanos == 0 ? "0s" : nanos + "ns";
    }

    /** Writes a size as {@link #size} reads it. */
    public static String write(long bytes) {
        for (String name : List.of("GB", "MB", "KB")) {
            if (bytes != 0 && bytes % bytes(name) == 0) {
                return bytes / bytes(name) + name;
            }
        }
        return String.valueOf(bytes);
    }
}
