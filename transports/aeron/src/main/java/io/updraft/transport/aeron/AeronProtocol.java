package io.updraft.transport.aeron;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The wire format of a channel. Each of these is one Aeron message; numbers are little-endian.
 *
 * <pre>
 *   0       1               5
 *   +-------+---------------+-----------------------------------
 *   | kind  | length        | body of that length
 *   +-------+---------------+-----------------------------------
 *   OPEN                      magic (4 bytes), version (4), token (8), port or stream for the answer (4)
 *   OPENED                    magic, version, the token of the OPEN, 0
 *   DATA                      the message
 *   CLOSE                     the reason, UTF-8
 * </pre>
 *
 * <p>The first fragment has the length, so a message that is too long is refused before memory is allocated for it.
 */
final class AeronProtocol {

    static final int HEADER = 1 + Integer.BYTES;
    static final int GREETING = 20;

    static final byte OPEN = 1;
    static final byte OPENED = 2;
    static final byte DATA = 3;
    static final byte CLOSE = 4;

    private static final int MAGIC = 0x55706472;
    private static final int VERSION = 1;
    private static final int MAX_REASON = 500;

    private AeronProtocol() {}

    static void header(UnsafeBuffer to, byte kind, int length) {
        to.putByte(0, kind);
        to.putInt(1, length);
    }

    static UnsafeBuffer greeting(byte kind, long token, int answerTo) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[HEADER + GREETING]);
        header(message, kind, GREETING);
        message.putInt(HEADER, MAGIC);
        message.putInt(HEADER + 4, VERSION);
        message.putLong(HEADER + 8, token);
        message.putInt(HEADER + 16, answerTo);
        return message;
    }

    static UnsafeBuffer close(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_REASON);
        UnsafeBuffer message = new UnsafeBuffer(new byte[HEADER + length]);
        header(message, CLOSE, length);
        message.putBytes(HEADER, text, 0, length);
        return message;
    }

    static boolean isGreeting(DirectBuffer body, int offset, int length) {
        return length == GREETING && body.getInt(offset) == MAGIC && body.getInt(offset + 4) == VERSION;
    }

    static long token(DirectBuffer greeting, int offset) {
        return greeting.getLong(offset + 8);
    }

    static int answerTo(DirectBuffer greeting, int offset) {
        return greeting.getInt(offset + 16);
    }

    /** {@return the reason of a CLOSE message; the peer's text, reduced to one line without control characters} */
    static String reason(DirectBuffer body, int offset, int length) {
        byte[] text = new byte[Math.min(length, MAX_REASON)];
        body.getBytes(offset, text);
        String line = new String(text, StandardCharsets.UTF_8)
                .replaceAll("\\p{C}", "?")
                .strip();
        return line.isEmpty() ? "no reason given" : line;
    }
}
