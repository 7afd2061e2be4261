package io.updraft.cluster.soak;

/** The text that goes with a number. Its length follows from the number: mostly short, sometimes too long for a message. */
final class NumberText {
    private static final int SHORT = 200;
    private static final int LONG = 20_000;
    private static final int VERY_LONG = 1_500_000;
    private static final int SOMETIMES = 256;
    private static final int RARELY = 32_768;
    private static final int TURNS = 61;

    private static final String FILLER = filler();

    private NumberText() {}

    static String of(int source, long number) {
        return source + "." + number
                + FILLER.substring((int) (number % TURNS), (int) (number % TURNS) + length(number));
    }

    private static int length(long number) {
        if (number % RARELY == RARELY - 1) {
            return VERY_LONG;
        }
        return number % SOMETIMES == SOMETIMES - 1 ? LONG : (int) (number % SHORT);
    }

    private static String filler() {
        StringBuilder text = new StringBuilder(VERY_LONG + TURNS);
        while (text.length() < VERY_LONG + TURNS) {
            text.append((char) ('!' + text.length() % 89));
        }
        return text.toString();
    }
}
