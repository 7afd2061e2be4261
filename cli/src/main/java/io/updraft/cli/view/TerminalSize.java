package io.updraft.cli.view;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The size of the terminal.
 *
 * @param columns the characters in a line
 * @param rows the number of lines
 */
public record TerminalSize(int columns, int rows) {
    private static final TerminalSize DEFAULT = new TerminalSize(80, 24);
    private static final long MAX_WAIT_MILLIS = 2_000;

    /** Reads the size with {@code stty}; without a terminal, from {@code COLUMNS} and {@code LINES}, else 80 by 24. */
    public static TerminalSize ask() {
        TerminalSize reported = parse(stty());
        return reported != null ? reported : fromEnvironment(System.getenv());
    }

    /** {@return the size in the output of {@code stty size}, or null without one} */
    static TerminalSize parse(String rowsAndColumns) {
        String[] words = rowsAndColumns.strip().split(" ");
        if (words.length != 2) {
            return null;
        }
        int rows = number(words[0], 0);
        int columns = number(words[1], 0);
        return rows > 0 && columns > 0 ? new TerminalSize(columns, rows) : null;
    }

    static TerminalSize fromEnvironment(Map<String, String> environment) {
        return new TerminalSize(
                number(environment.get("COLUMNS"), DEFAULT.columns), number(environment.get("LINES"), DEFAULT.rows));
    }

    private static int number(String text, int otherwise) {
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private static String stty() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return "";
            }
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
