package io.updraft.engine.snapshot;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Renders keys and message ids as short texts for people. Calls the user's {@code toString}, so only the thread that runs the
 * user's code may use it.
 */
public final class KeyText {

    /** The longest text, in characters. */
    static final int MAX_LENGTH = 60;

    private static final int MAX_ELEMENTS = 20;
    private static final int MAX_DEPTH = 3;

    private KeyText() {}

    /**
     * Returns a text of one line. A text that was cut, or a key that cannot be rendered, ends with the hash, so that different
     * keys have different texts.
     *
     * @param key the values of the grouping's fields
     * @param hash the hash of the key
     * @return the text
     */
    public static String of(Object[] key, int hash) {
        String mark = "#" + Integer.toHexString(hash);
        String text = Arrays.stream(key).map(value -> valueOf(value, mark)).collect(Collectors.joining(", "));
        return fit(text, mark);
    }

    /**
     * {@return a text of one line, at most 60 characters; the name of the class for a value that cannot be rendered}
     *
     * @param value a value of the user
     */
    public static String of(Object value) {
        return fit(valueOf(value, ""), "");
    }

    private static String valueOf(Object value, String mark) {
        try {
            return oneLine(plain(value, 0));
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            return value.getClass().getSimpleName() + mark;
        }
    }

    private static String plain(Object value, int depth) {
        if (value == null || !value.getClass().isArray() || depth == MAX_DEPTH) {
            return String.valueOf(value);
        }
        int length = Array.getLength(value);
        return IntStream.range(0, Math.min(length, MAX_ELEMENTS))
                .mapToObj(i -> plain(Array.get(value, i), depth + 1))
                .collect(Collectors.joining(", ", "[", length > MAX_ELEMENTS ? ", ...]" : "]"));
    }

    /** Returns the beginning of a text without control characters, line breaks and marks that change the direction of text. */
    private static String oneLine(String text) {
        if (text == null || text.isBlank()) {
            return '"'
                    + (text == null
                            ? ""
                            : text.substring(0, Math.min(text.length(), MAX_LENGTH))
                                    .replaceAll("\\s", " "))
                    + '"';
        }
        StringBuilder line = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH + 1L)
                .forEach(point -> line.appendCodePoint(isPrintable(point) ? point : ' '));
        return line.toString();
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static String fit(String text, String mark) {
        if (text.length() <= MAX_LENGTH) {
            return text;
        }
        String end = "..." + mark;
        int cut = MAX_LENGTH - end.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(cut - 1)) ? cut - 1 : cut) + end;
    }
}
