package io.updraft.timeseries.aggregate;

import java.nio.ByteBuffer;

/** Goes through groups in the order of their keys' bytes, taken as unsigned numbers. Begins before the first one. */
interface GroupCursor extends AutoCloseable {

    /** Goes on to the next group; false if there is none. */
    boolean next();

    /** The key of the group, as {@link GroupCodec} writes it. */
    byte[] key();

    /** States of the group, each as {@link GroupCodec} writes it after its length in 4 bytes; in an array. */
    ByteBuffer states();

    @Override
    void close();
}
