package io.updraft.cli.view;

import io.updraft.base.text.VisibleText;
import java.util.ArrayList;
import java.util.List;

/**
 * One line for the terminal.
 *
 * @param text the text
 * @param style the style, if colours are on
 */
public record TerminalLine(String text, Style style) {
    private static final String INDENT = "  ";

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

    /**
     * {@return this line as at most {@code lines} lines of at most {@code width} columns; all but the first are indented. The last
     * one is cut if that is too little}
     */
    public List<TerminalLine> wrap(int width, int lines) {
        List<TerminalLine> wrapped = new ArrayList<>();
        String rest = VisibleText.of(text);
        while (wrapped.size() < lines - 1 && TextWidth.of(rest) > width && width > 2 * INDENT.length()) {
            int end = lineEnd(rest, width);
            wrapped.add(new TerminalLine(rest.substring(0, end).stripTrailing(), style));
            rest = INDENT + rest.substring(end).stripLeading();
        }
        wrapped.add(new TerminalLine(fit(rest, width), style));
        return wrapped;
    }

    /** Returns where to end a line: at the last blank, if it is in the second half, else where the width ends. */
    private static int lineEnd(String text, int width) {
        int end = prefix(text, width);
        int blank = text.lastIndexOf(' ', end);
        return blank > end / 2 ? blank : end;
    }

    /**
     * {@return the text, cut to at most {@code width} columns; a cut is marked with {@code ~}. Characters without a
     * shape are escaped}
     */
    public static String fit(String text, int width) {
        String printable = VisibleText.of(text);
        if (TextWidth.of(printable) <= width) {
            return printable;
        }
        return width <= 0 ? "" : printable.substring(0, prefix(printable, width - 1)) + "~";
    }

    /** {@return the text, cut or filled with blanks to exactly {@code width} columns} */
    public static String pad(String text, int width) {
        String fitting = fit(text, width);
        return fitting + " ".repeat(Math.max(0, width - TextWidth.of(fitting)));
    }

    /** {@return the number of columns that the text takes on a terminal} */
    public static int width(String text) {
        return TextWidth.of(VisibleText.of(text));
    }

    /** Returns the length, in {@code char}s, of the longest beginning of at most this width. */
    private static int prefix(String text, int width) {
        int end = 0;
        int left = width;
        while (end < text.length()) {
            int codePoint = text.codePointAt(end);
            left -= TextWidth.of(codePoint);
            if (left < 0) {
                return end;
            }
            end += Character.charCount(codePoint);
        }
        return end;
    }
}
