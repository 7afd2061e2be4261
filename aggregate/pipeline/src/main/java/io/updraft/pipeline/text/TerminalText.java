package io.updraft.pipeline.text;

import io.updraft.base.text.VisibleText;

/** Prepares text for a table on a terminal. */
public final class TerminalText {

    private TerminalText() {}

    /** Returns text that is safe to print: escapes what would move the cursor or colour the screen. Cuts wide text. */
    public static String show(String text, int maxWidth) {
        StringBuilder shown = new StringBuilder();
        int width = 0;
        int[] points = text.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int c = points[i];
            String piece = VisibleText.isHidden(c) ? VisibleText.escape(c) : Character.toString(c);
            width += width(piece);
            if (width > (i == points.length - 1 ? maxWidth : maxWidth - 1)) {
                return shown.append('…').toString();
            }
            shown.append(piece);
        }
        return shown.toString();
    }

    /** Returns how many columns the text takes: two for East Asian characters and emoji, none for combining characters. */
    public static int width(String text) {
        return text.codePoints().map(TerminalText::width).sum();
    }

    private static int width(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = c >= 0x1100 && c <= 0x115f
                || c >= 0x2e80 && c <= 0xa4cf
                || c >= 0xac00 && c <= 0xd7a3
                || c >= 0xf900 && c <= 0xfaff
                || c >= 0xfe30 && c <= 0xfe6f
                || c >= 0xff00 && c <= 0xff60
                || c >= 0xffe0 && c <= 0xffe6
                || c >= 0x1f300 && c <= 0x1faff
                || c >= 0x20000 && c <= 0x3fffd;
        return wide ? 2 : 1;
    }
}
