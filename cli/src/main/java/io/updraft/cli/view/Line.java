package io.updraft.cli.view;

/**
 * One line for the terminal.
 *
 * @param text what it says
 * @param style how it is drawn where colours are wanted
 */
record Line(String text, Style style) {

    /** How a line is drawn. */
    enum Style {
        /** As it is. */
        PLAIN(""),
        /** What the block is about. */
        TITLE("\u001b[1m"),
        /** Column headings. */
        HEADING("\u001b[2m"),
        /** What slows the topology down. */
        BOTTLENECK("\u001b[1;33m"),
        /** What went wrong. */
        BAD("\u001b[31m");

        private final String on;

        Style(String on) {
            this.on = on;
        }

        String paint(String text) {
            return on.isEmpty() ? text : on + text + "\u001b[0m";
        }
    }

    static Line plain(String text) {
        return new Line(text, Style.PLAIN);
    }

    /** {@return this line, at most so many columns wide, its cut marked} */
    Line fit(int width) {
        return new Line(fit(text, width), style);
    }

    /** {@return the text in so many columns at the most; a cut is marked} */
    static String fit(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "~";
    }
}
