package io.updraft.storm.legacy.bridge;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.storm.spout.MultiScheme;
import org.apache.storm.utils.Utils;

/** A scheme of Storm 0.9 that makes several tuples of a message, which gets arrays. */
public interface LegacyMultiScheme extends MultiScheme {

    /**
     * {@return the values of each tuple}
     *
     * @param bytes the message
     */
    Iterable<List<Object>> deserialize(byte[] bytes);

    @Override
    default Iterable<List<Object>> deserialize(ByteBuffer message) {
        return deserialize(Utils.toByteArray(message));
    }
}
