package io.updraft.transport.session;

import java.nio.ByteBuffer;

/** The one buffer in which a messenger puts messages together, since a channel has taken a message when offer returns. */
final class Scratch {

    private ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);

    /** An empty buffer for so many bytes; the one that was given before is no longer valid. */
    ByteBuffer of(int bytes) {
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocateDirect(
                    Math.max(bytes, (int) Math.min(Integer.MAX_VALUE, 2L * buffer.capacity())));
        }
        return buffer.clear().limit(bytes);
    }
}
