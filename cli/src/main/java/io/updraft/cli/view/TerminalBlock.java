package io.updraft.cli.view;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
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
    private List<TerminalLine> requested = List.of();
    private List<TerminalLine> drawn = List.of();
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private PrintStream out;
    private PrintStream err;
    private int columns;
    private boolean closed;

    public TerminalBlock(PrintStream terminal, boolean colours, int columns) {
        this.terminal = terminal;
        this.colours = colours;
        this.columns = columns;
    }

    /** Makes {@code System.out} and {@code System.err} write above the block, until it is closed. */
    public void captureOutput() {
        out = new PrintStream(new AboveBlockStream(this), true);
        err = new PrintStream(new AboveBlockStream(this), true);
        System.setOut(out);
        System.setErr(err);
    }

    public synchronized void draw(List<TerminalLine> lines, int newColumns) {
        columns = newColumns;
        requested = lines;
        redraw();
    }

    /** Draws the block again after output above it has removed it. */
    public synchronized void refresh() {
        if (drawn.isEmpty() && !requested.isEmpty()) {
            redraw();
        }
    }

    private void redraw() {
        if (closed) {
            return;
        }
        StringBuilder text = new StringBuilder(HIDE_CURSOR).append(toTopOfBlock());
        for (TerminalLine line : requested) {
            text.append(colours ? line.style().paint(line.text()) : line.text())
                    .append(CLEAR_TO_END_OF_LINE)
                    .append('\n');
        }
        write(text.append(CLEAR_BELOW).toString());
        drawn = requested;
    }

    /** Writes whole lines above the block. Removes the block until the next {@link #refresh} or {@link #draw}. */
    synchronized void printAbove(ByteArrayOutputStream lines) {
        wipe();
        terminal.write(lines.toByteArray(), 0, lines.size());
        terminal.flush();
    }

    /** Removes the block, shows the cursor and restores the output. Idempotent. */
    public void close() {
        if (out != null) { // not under the monitor: a thread that prints holds its stream's monitor first
            out.close();
            err.close();
        }
        synchronized (this) {
            if (!closed) {
                wipe();
                write(SHOW_CURSOR);
                closed = true;
            }
        }
        if (out != null) {
            System.setOut(realOut);
            System.setErr(realErr);
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
            rows += Math.max(1, (TextWidth.of(line.text()) + columns - 1) / columns);
        }
        return rows == 0 ? "\r" : "\r\u001b[" + rows + "A";
    }

    private void write(String text) {
        terminal.print(text);
        terminal.flush();
    }

    /** Replaces standard output or standard error while a block is on the screen. Writes whole lines above the block. */
    static final class AboveBlockStream extends OutputStream {
        private final TerminalBlock screen;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        AboveBlockStream(TerminalBlock screen) {
            this.screen = screen;
        }

        @Override
        public synchronized void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            int end = offset + length;
            int afterLastLine = offset;
            for (int i = offset; i < end; i++) {
                afterLastLine = bytes[i] == '\n' ? i + 1 : afterLastLine;
            }
            line.write(bytes, offset, afterLastLine - offset);
            if (afterLastLine > offset) {
                flushLine();
            }
            line.write(bytes, afterLastLine, end - afterLastLine);
        }

        /** Writes the rest of an unfinished line, with an end of line. */
        @Override
        public synchronized void close() {
            if (line.size() > 0) {
                line.write('\n');
                flushLine();
            }
        }

        private void flushLine() {
            screen.printAbove(line);
            line.reset();
        }
    }
}
