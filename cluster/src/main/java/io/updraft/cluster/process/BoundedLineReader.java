package io.updraft.cluster.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** Reads lines of bounded length. A longer line is returned in pieces. */
final class BoundedLineReader {
    static final int MAX_CHARS = 16 * 1024;

    private final BufferedReader in;

    BoundedLineReader(Reader in) {
        this.in = new BufferedReader(in);
    }

    /** {@return the next line without its line end, or null at the end of the input} */
    String next() throws IOException {
        StringBuilder line = new StringBuilder();
        int read = in.read();
        if (read < 0) {
            return null;
        }
        while (read >= 0 && read != '\n') {
            line.append((char) read);
            if (line.length() == MAX_CHARS) {
                break;
            }
            read = in.read();
        }
        int last = line.length() - 1;
        if (last >= 0 && line.charAt(last) == '\r') {
            line.setLength(last);
        }
        return line.toString();
    }
}
