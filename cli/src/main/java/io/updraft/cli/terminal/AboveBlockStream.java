package io.updraft.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Replaces standard output or standard error while a block is on the screen. Writes whole lines above the block. */
public final class AboveBlockStream extends OutputStream {
    private final TerminalBlock screen;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    public AboveBlockStream(TerminalBlock screen) {
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
