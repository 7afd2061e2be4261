package io.updraft.kafka.reader;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Returns the bytes of a fetch response without a copy. The reader copies them once, into its chunk, before the next poll.
 * Nothing else writes to them.
 */
record ByteBufferDeserializer(boolean wanted) implements Deserializer<ByteBuffer> {

    @Override
    public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer data) {
        return wanted ? data : null;
    }

    @Override
    public ByteBuffer deserialize(String topic, byte[] data) {
        return wanted && data != null ? ByteBuffer.wrap(data) : null;
    }
}
