package io.updraft.base.text;

import java.util.regex.Pattern;

/** Puts text on one line, for messages and logs that are read line by line. */
public final class OneLine {
    private static final Pattern BREAKS = Pattern.compile("[\\s\\p{Cntrl}]+");

    private OneLine() {}

    /**
     * Joins the lines of a text.
     *
     * @param text the text; null is the text "null"
     * @return the text, with one space for each run of white space and control characters, and without them at its ends
     */
    public static String of(String text) {
        return BREAKS.matcher(String.valueOf(text)).replaceAll(" ").strip();
    }

    /**
     * Describes a failure.
     *
     * @param failure the failure
     * @return its message on one line, or its simple class name if it has no message
     */
    public static String of(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : of(message);
    }

    /**
     * Returns the first line of a text.
     *
     * @param text the text; null is the text "null"
     * @return the line, without white space at its ends; empty if the text is
     */
    public static String first(String text) {
        return String.valueOf(text).lines().findFirst().orElse("").strip();
    }

    /**
     * Describes a failure whose message may have an explanation of many lines.
     *
     * @param failure the failure
     * @return the first line of its message, or its simple class name if it has no message
     */
    public static String first(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : first(message);
    }
}
