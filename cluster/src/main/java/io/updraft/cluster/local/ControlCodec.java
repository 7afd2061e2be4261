package io.updraft.cluster.local;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes and decodes control messages, without the length that precedes them:
 *
 * <pre>
 *   +---------+------+-----------------------------------+
 *   | version | type | the message: see {@link RecordCodec} |
 *   +---------+------+-----------------------------------+
 *      1 byte  1 byte
 * </pre>
 */
final class ControlCodec {
    static final int VERSION = 12;

    /** The types, in the order of their numbers on the wire: that of their declaration. */
    private static final List<Class<?>> TYPES = List.of(ControlMessage.class.getPermittedSubclasses());

    private ControlCodec() {}

    static byte[] encode(ControlMessage message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeByte(VERSION);
            out.writeByte(TYPES.indexOf(message.getClass()));
            RecordCodec.write(out, message.getClass(), message);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
    }

    static ControlMessage decode(ByteBuffer in) throws IOException {
        try {
            int version = in.get() & 0xff;
            if (version != VERSION) {
                throw new IOException("a control message has version " + version + ", but this side has version "
                        + VERSION + ": run coordinator and workers from the same build");
            }
            int type = in.get() & 0xff;
            if (type >= TYPES.size()) {
                throw new IOException("unknown type of control message: " + type);
            }
            Object message = RecordCodec.read(in, TYPES.get(type));
            if (in.hasRemaining()) {
                throw new IOException(
                        "a " + TYPES.get(type).getSimpleName() + " has " + in.remaining() + " bytes after its end");
            }
            return (ControlMessage) message;
        } catch (BufferUnderflowException e) {
            throw new IOException("a control message is truncated", e);
        }
    }
}
