package io.updraft.timeseries.aggregate;

import java.nio.ByteBuffer;

/** Iterates over groups in the order of their keys' bytes, compared as unsigned numbers. Starts before the first group. */
interface GroupCursor extends AutoCloseable {

    boolean next();

    /** Returns the key of the group, as {@link GroupCodec} writes it. */
    byte[] key();

    /**
     * Returns the states of the group, each preceded by its length in 4 bytes, as {@link GroupCodec} writes them. The buffer is
     * backed by an array.
     */
    ByteBuffer states();

    @Override
    void close();
}
