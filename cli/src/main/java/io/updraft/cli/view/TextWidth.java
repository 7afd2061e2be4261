package io.updraft.cli.view;

/**
 * The columns that a text takes on a terminal: two for wide characters (East Asian Width W and F of Unicode, emoji), none for
 * combining characters, else one.
 */
final class TextWidth {
    /** First and last code points of the wide characters. */
    private static final int[][] WIDE = {
        {0x1100, 0x115f},
        {0x231a, 0x231b},
        {0x2329, 0x232a},
        {0x23e9, 0x23f3},
        {0x25fd, 0x25fe},
        {0x2614, 0x2615},
        {0x2648, 0x2653},
        {0x26a1, 0x26a1},
        {0x2705, 0x2705},
        {0x274c, 0x274c},
        {0x2753, 0x2757},
        {0x2b1b, 0x2b1c},
        {0x2b50, 0x2b55},
        {0x2e80, 0x303e},
        {0x3041, 0xa4cf},
        {0xa960, 0xa97f},
        {0xac00, 0xd7a3},
        {0xf900, 0xfaff},
        {0xfe10, 0xfe19},
        {0xfe30, 0xfe6f},
        {0xff00, 0xff60},
        {0xffe0, 0xffe6},
        {0x16fe0, 0x18cff},
        {0x1b000, 0x1b2ff},
        {0x1f000, 0x1f0ff},
        {0x1f18e, 0x1f19a},
        {0x1f200, 0x1faff},
        {0x20000, 0x3fffd}
    };

    private static final int FIRST_COMBINING = 0x300;

    private TextWidth() {}

    /** {@return the number of columns of a text} */
    static int of(String text) {
        return text.codePoints().map(TextWidth::of).sum();
    }

    /** {@return the number of columns of a character} */
    static int of(int codePoint) {
        if (codePoint < FIRST_COMBINING) {
            return 1;
        }
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        for (int[] range : WIDE) {
            if (codePoint <= range[1]) {
                return codePoint >= range[0] ? 2 : 1;
            }
        }
        return 1;
    }
}
