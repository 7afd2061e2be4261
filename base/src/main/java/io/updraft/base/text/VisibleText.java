package io.updraft.base.text;

/**
 * Shows the characters of a text that have no shape of their own: names, keys and messages come from programs and from data. A
 * terminal would obey control characters, and characters of Unicode that set the direction would reverse what stands beside them.
 */
public final class VisibleText {
    private static final char FIRST_PLAIN = ' ';
    private static final char LAST_PLAIN = '~';

    private VisibleText() {}

    /**
     * Escapes hidden characters.
     *
     * @param text the text
     * @return the text on one line, with an escape of Java and JSON for each hidden character; for example {@code \}{@code u202e}
     */
    public static String of(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder visible = new StringBuilder();
        text.codePoints().forEach(character -> append(visible, character));
        return visible.toString();
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < FIRST_PLAIN || text.charAt(i) > LAST_PLAIN) {
                return false;
            }
        }
        return true;
    }

    private static void append(StringBuilder visible, int character) {
        switch (character) {
            case '\n' -> visible.append("\\n");
            case '\r' -> visible.append("\\r");
            case '\t' -> visible.append("\\t");
            default -> {
                if (isHidden(character)) {
                    visible.append(escape(character));
                } else {
                    visible.appendCodePoint(character);
                }
            }
        }
    }

    /**
     * Returns whether a character has no shape of its own: a control character, one that sets the direction, joins or has no width,
     * a separator of lines, or half of a surrogate pair.
     *
     * @param character the code point
     * @return whether it is hidden
     */
    public static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /**
     * Escapes a character, as Java and JSON do.
     *
     * @param character the code point
     * @return the escape; two for a character beyond FFFF
     */
    public static String escape(int character) {
        StringBuilder escape = new StringBuilder();
        for (char part : Character.toChars(character)) {
            escape.append(String.format("\\u%04x", (int) part));
        }
        return escape.toString();
    }
}
