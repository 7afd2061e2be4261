package io.updraft.examples.wordcount;

import java.io.Closeable;
import java.io.IOException;

/** The source of a reader's lines. Not thread-safe: only one thread calls it. */
interface LineSource extends Closeable {

    /** {@return the next line, or null when no line is available now} */
    String poll() throws IOException;

    /** {@return whether no line will follow} */
    boolean exhausted();
}
