package io.updraft.kafka.reader;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Gives the bytes as they lie in the answer to a fetch, without a copy: the reader copies them once, into its batch. They are read
 * before the next poll, and nobody else writes there.
 */
final class ByteBufferView implements Deserializer<ByteBuffer> {

    private final boolean wanted;

    ByteBufferView(boolean wanted) {
        this.wanted = wanted;
    }

    @Override
    public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer data) {
        return wanted ? data : null;
    }

    @Override
    public ByteBuffer deserialize(String topic, byte[] data) {
        return wanted && data != null ? ByteBuffer.wrap(data) : null;
    }
}
