package io.updraft.transport;

import java.nio.ByteBuffer;

/**
 * An empty buffer. Any number of threads may offer it at the same time, because an empty buffer has no position or bytes to
 * change.
 */
final class NoBytes {

    static final ByteBuffer BUFFER = ByteBuffer.allocate(0);

    private NoBytes() {}
}
