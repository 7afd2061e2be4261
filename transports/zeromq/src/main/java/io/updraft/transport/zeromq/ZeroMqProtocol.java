package io.updraft.transport.zeromq;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The layout of the messages of a channel. Each message is one frame of ZeroMQ; numbers are big-endian.
 *
 * <pre>
 *   0       1               5
 *   +-------+---------------+------------------------------------
 *   | kind  | credit        | body
 *   +-------+---------------+------------------------------------
 *   OPEN    0                 magic (4 bytes), version (1), window of the sender (4)
 *   OPENED  0                 as OPEN
 *   DATA    bytes             the message
 *   CREDIT  bytes             nothing
 *   CLOSE   0                 the reason, UTF-8
 *   LOST    0                 nothing; never sent: JeroMQ inserts it at the end of a connection
 * </pre>
 *
 * <p>Credit is the number of bytes, {@link ZeroMqSettings#OVERHEAD} included, that were processed since the last credit.
 */
final class ZeroMqProtocol {

    static final int HEADER = 1 + Integer.BYTES;

    static final byte OPEN = 1;
    static final byte OPENED = 2;
    static final byte DATA = 3;
    static final byte CREDIT = 4;
    static final byte CLOSE = 5;
    static final byte LOST = 6;

    private static final int MAGIC = 0x55706472;
    private static final byte VERSION = 1;
    private static final int GREETING = HEADER + Integer.BYTES + 1 + Integer.BYTES;
    private static final int MAX_REASON = 500;

    private ZeroMqProtocol() {}

    static byte[] greeting(byte kind, int window) {
        return header(GREETING, kind, 0)
                .putInt(MAGIC)
                .put(VERSION)
                .putInt(window)
                .array();
    }

    static byte[] data(int credit, int size, ByteBuffer head, ByteBuffer body) {
        return header(HEADER + size, DATA, credit).put(head).put(body).array();
    }

    static byte[] credit(int credit) {
        return header(HEADER, CREDIT, credit).array();
    }

    static byte[] close(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_REASON);
        return header(HEADER + length, CLOSE, 0).put(text, 0, length).array();
    }

    static byte[] lost() {
        return header(HEADER, LOST, 0).array();
    }

    private static ByteBuffer header(int size, byte kind, int credit) {
        return ByteBuffer.allocate(size).put(kind).putInt(credit);
    }

    /** {@return the kind, 0 if the frame is too short for a message of a channel} */
    static byte kind(byte[] frame) {
        return frame.length < HEADER ? 0 : frame[0];
    }

    static int credit(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(1);
    }

    /** {@return the window in an OPEN or OPENED, 0 if it has another protocol or version} */
    static int window(byte[] greeting) {
        if (greeting.length != GREETING) {
            return 0;
        }
        ByteBuffer body = ByteBuffer.wrap(greeting).position(HEADER);
        return body.getInt() == MAGIC && body.get() == VERSION ? Math.max(0, body.getInt()) : 0;
    }

    /** {@return the reason in a CLOSE, which is text from a peer, as one line without control characters} */
    static String reason(byte[] close) {
        String text = new String(close, HEADER, Math.min(close.length - HEADER, MAX_REASON), StandardCharsets.UTF_8);
        String line = text.replaceAll("\\p{C}", "?").strip();
        return line.isEmpty() ? "the peer gave no reason" : line;
    }
}
