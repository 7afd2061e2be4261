package io.updraft.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Redraws a block of lines in place at the lower end of a terminal. Other output appears above the block and stays. Safe to use
 * from any thread.
 */
public final class TerminalBlock {
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final PrintStream terminal;
    private final boolean colours;
    private List<TerminalLine> wanted = List.of();
    private List<TerminalLine> drawn = List.of();
    private int columns;
    private boolean closed;

    public TerminalBlock(PrintStream terminal, boolean colours, int columns) {
        this.terminal = terminal;
        this.colours = colours;
        this.columns = columns;
    }

    /** Replaces the block. */
    public synchronized void draw(List<TerminalLine> lines, int newColumns) {
        columns = newColumns;
        wanted = lines;
        redraw();
    }

    /** Draws the block again after output above it has removed it. */
    public synchronized void refresh() {
        if (drawn.isEmpty() && !wanted.isEmpty()) {
            redraw();
        }
    }

    private void redraw() {
        if (closed) {
            return;
        }
        StringBuilder text = new StringBuilder(HIDE_CURSOR).append(toTopOfBlock());
        for (TerminalLine line : wanted) {
            text.append(colours ? line.style().paint(line.text()) : line.text())
                    .append(CLEAR_TO_END_OF_LINE)
                    .append('\n');
        }
        write(text.append(CLEAR_BELOW).toString());
        drawn = wanted;
    }

    /** Writes whole lines above the block. Removes the block until the next {@link #refresh} or {@link #draw}. */
    synchronized void printAbove(ByteArrayOutputStream lines) {
        wipe();
        terminal.write(lines.toByteArray(), 0, lines.size());
        terminal.flush();
    }

    /** Removes the block and shows the cursor. Idempotent. */
    public synchronized void close() {
        if (!closed) {
            wipe();
            write(SHOW_CURSOR);
            closed = true;
        }
    }

    private void wipe() {
        if (!drawn.isEmpty()) {
            write(toTopOfBlock() + CLEAR_BELOW);
            drawn = List.of();
        }
    }

    // A window that has become narrower wraps the lines of the block, so each line may take several rows.
    private String toTopOfBlock() {
        int rows = 0;
        for (TerminalLine line : drawn) {
            rows += Math.max(1, (line.text().length() + columns - 1) / columns);
        }
        return rows == 0 ? "\r" : "\r\u001b[" + rows + "A";
    }

    private void write(String text) {
        terminal.print(text);
        terminal.flush();
    }
}
