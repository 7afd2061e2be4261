package io.updraft.transport;

import java.nio.ByteBuffer;

/** A buffer without bytes, which any number of threads may offer at once: there is nothing in it to move or to change. */
final class NoBytes {

    static final ByteBuffer BUFFER = ByteBuffer.allocate(0);

    private NoBytes() {}
}
