package io.updraft.storm.legacy.bridge;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.storm.spout.Scheme;
import org.apache.storm.utils.Utils;

/** A scheme of Storm 0.9, which gets arrays. */
public interface LegacyScheme extends Scheme {

    /**
     * {@return the values of a tuple}
     *
     * @param bytes the message
     */
    List<Object> deserialize(byte[] bytes);

    @Override
    default List<Object> deserialize(ByteBuffer message) {
        return deserialize(Utils.toByteArray(message));
    }
}
