package io.updraft.cli.terminal;

/**
 * One line for the terminal.
 *
 * @param text the text
 * @param style the style, if colours are on
 */
public record TerminalLine(String text, Style style) {
    /** The style of a line. */
    public enum Style {
        PLAIN(""),
        TITLE("\u001b[1m"),
        HEADING("\u001b[2m"),
        BOTTLENECK("\u001b[1;33m"),
        BAD("\u001b[31m");

        private final String on;

        Style(String on) {
            this.on = on;
        }

        String paint(String text) {
            return on.isEmpty() ? text : on + text + "\u001b[0m";
        }
    }

    public static TerminalLine plain(String text) {
        return new TerminalLine(text, Style.PLAIN);
    }

    /** {@return this line, cut to at most {@code width} columns; a cut is marked with {@code ~}} */
    public TerminalLine fit(int width) {
        return new TerminalLine(fit(text, width), style);
    }

    /** {@return the text, cut to at most {@code width} columns; a cut is marked with {@code ~}} */
    public static String fit(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "~";
    }
}
