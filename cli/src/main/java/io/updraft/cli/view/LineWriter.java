package io.updraft.cli.view;

import io.updraft.base.text.VisibleText;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Prints lines in which names, keys and messages of programs may stand. What is given to {@code println} stays one line, and its
 * characters without a shape are escaped.
 */
public final class LineWriter extends PrintWriter {
    /** The given writer receives the lines. */
    public LineWriter(Writer out) {
        super(out);
    }

    @Override
    public void println(String line) {
        super.println(VisibleText.of(String.valueOf(line)));
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }
}
