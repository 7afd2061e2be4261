package io.updraft.rest;

import java.util.Locale;

/** How the API writes durations, latencies and windows. */
final class UiText {
    /** The window that has no end. */
    public static final String ALL_TIME = ":all-time";

    private static final int SHOWN_OF_LAST_ERROR = 200;

    private UiText() {}

    /** {@return days, hours, minutes and seconds without leading zeros, such as {@code 3m 0s}; empty for no seconds} */
    public static String uptime(int seconds) {
        if (seconds <= 0) {
            return "";
        }
        String text = seconds % 60 + "s";
        if (seconds >= 60) {
            text = seconds / 60 % 60 + "m " + text;
        }
        if (seconds >= 3600) {
            text = seconds / 3600 % 24 + "h " + text;
        }
        return seconds >= 86400 ? seconds / 86400 + "d " + text : text;
    }

    /** {@return three decimals; {@code 0} for an absent number} */
    public static String decimal(Double number) {
        return number == null ? "0" : String.format(Locale.ROOT, "%.3f", number);
    }

    public static String windowHint(String window) {
        return window.equals(ALL_TIME) ? "All time" : uptime(Integer.parseInt(window));
    }

    public static String lastError(String error) {
        return error.substring(0, Math.min(error.length(), SHOWN_OF_LAST_ERROR));
    }

    /** Orders windows by their length; all time is the longest. */
    public static int compareWindows(String one, String other) {
        return Long.compare(length(one), length(other));
    }

    private static long length(String window) {
        return window.equals(ALL_TIME) ? Long.MAX_VALUE : Long.parseLong(window);
    }
}
