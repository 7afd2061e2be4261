package io.updraft.examples.wordcount;

import java.io.Closeable;
import java.io.IOException;

/** Where a reader gets its lines; asked by one thread. */
interface LineSource extends Closeable {

    /** {@return the next line, or null when there is none now} */
    String poll() throws IOException;

    /** {@return whether there will never be a line again} */
    boolean exhausted();
}
