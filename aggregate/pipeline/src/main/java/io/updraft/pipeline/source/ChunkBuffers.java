package io.updraft.pipeline.source;

import java.util.concurrent.LinkedBlockingDeque;

/**
 * The buffers of the chunks of a source. A released buffer is used again, the last one first, so that it is still in a cache and
 * that the collector has nothing to do. Any thread.
 */
final class ChunkBuffers {

    private final LinkedBlockingDeque<byte[]> free;
    private final int size;

    /**
     * Creates an empty pool.
     *
     * @param size the length of a buffer; others are not kept
     * @param most the most buffers to keep
     */
    ChunkBuffers(int size, int most) {
        this.size = size;
        this.free = new LinkedBlockingDeque<>(most);
    }

    /** Returns a buffer of at least some length, whose content is undefined. */
    byte[] take(int least) {
        byte[] buffer = least > size ? null : free.pollFirst();
        return buffer == null ? new byte[Math.max(size, least)] : buffer;
    }

    /** Takes a buffer that nobody reads any more. */
    void release(byte[] buffer) {
        if (buffer.length == size) {
            free.offerFirst(buffer);
        }
    }
}
