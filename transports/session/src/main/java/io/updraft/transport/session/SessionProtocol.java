package io.updraft.transport.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The messages of a session, version {@value #VERSION}. Numbers are big-endian. A message longer or shorter than its layout
 * closes the channel. The fields of {@code HELLO} up to the version and all of {@code REFUSE} are the same in every version, so
 * that peers of incompatible versions can report the mismatch.
 *
 * <pre>
 *   HELLO    the first message of each side; the side that opened the channel sends first
 *   +---+-----------+---------+------+--------+----------+--------+-------------+---------+--------+-------------+
 *   | 1 | "UPDR"    | version | role | method | nonce    | worker | incarnation | channel | length | topology id |
 *   |   | 4         | 2       | 1    | 1      | 32       | 4      | 8           | 8       | 2      | length      |
 *   +---+-----------+---------+------+--------+----------+--------+-------------+---------+--------+-------------+
 *     role     1 the side opened the channel, 2 the side listened
 *     method   of proof: 0 none, 1 HMAC-SHA256
 *     channel  grows with each channel that a process opens; 0 from the side that listened
 *
 *   PROOF    the second message of each side; again the side that opened the channel sends first
 *   +---+--------+---------------+
 *   | 2 | credit | proof         |    credit  bytes of frames that the other side may send at first
 *   |   | 4      | 0 or 32       |    proof   see ConnectionProof
 *   +---+--------+---------------+
 *
 *   REFUSE   the last message of a side, at any time
 *   +---+--------+--------+------+
 *   | 3 | ending | length | text |    ending  0 goodbye, 1 error, 2 refused
 *   |   | 1      | 2      | UTF-8|    text    for people, up to 512 bytes
 *   +---+--------+--------+------+
 *
 *   After both proofs: a frame, as one message, or as a first, any number of middle and a last message. Only
 *   ACCOUNT and REFUSE may come between the parts of a frame.
 *   +---+-------+   +---+--------+-------+   +---+-------+   +---+-------+
 *   | 4 | bytes |   | 5 | length | bytes |   | 6 | bytes |   | 7 | bytes |    length  of the whole frame, 2 to 64 Mi
 *   |   | 1..   |   |   | 4      | 1..   |   |   | 1..   |   |   | 1..   |
 *   +---+-------+   +---+--------+-------+   +---+-------+   +---+-------+
 *
 *   ACCOUNT  credit and heartbeat: the totals that this side has received and granted over this channel
 *   +---+--------+-------+---------+
 *   | 8 | frames | bytes | granted |    frames, bytes  passed to the handler
 *   |   | 8      | 8     | 8       |    granted        bytes of frames since the channel opened, the first credit included
 *   +---+--------+-------+---------+
 * </pre>
 *
 * <p>The order of a handshake. No side sends its proof before the other side's hello, and the listener sends its proof only
 * after it has checked the connector's proof:
 *
 * <pre>
 *   connector                      listener
 *      | HELLO ----------------------> |
 *      | <---------------------- HELLO |
 *      | PROOF ----------------------> |   open
 *  open| <---------------------- PROOF |
 * </pre>
 */
final class SessionProtocol {

    static final int VERSION = 1;
    static final int MAGIC = 0x55504452;

    static final byte HELLO = 1;
    static final byte PROOF = 2;
    static final byte REFUSE = 3;
    static final byte WHOLE = 4;
    static final byte FIRST = 5;
    static final byte MIDDLE = 6;
    static final byte LAST = 7;
    static final byte ACCOUNT = 8;

    /** Header bytes of {@link #WHOLE}, {@link #MIDDLE} and {@link #LAST}. */
    static final int PART_HEADER = 1;
    /** Header bytes of {@link #FIRST}. */
    static final int FIRST_HEADER = PART_HEADER + Integer.BYTES;
    /** Size of an {@link #ACCOUNT} in bytes. */
    static final int ACCOUNT_BYTES = 1 + 3 * Long.BYTES;

    private static final int MAX_TEXT = 512;
    private static final int REFUSE_HEADER = 1 + 1 + Short.BYTES;

    private SessionProtocol() {}

    static ByteBuffer refuse(ChannelEnding ending, String reason) {
        byte[] text = shortened(reason);
        ByteBuffer message = ByteBuffer.allocate(REFUSE_HEADER + text.length);
        message.put(REFUSE).put((byte) ending.ordinal()).putShort((short) text.length);
        return message.put(text).flip();
    }

    /** Reads the ending of a REFUSE, without the kind byte. */
    static ChannelEnding ending(ByteBuffer message) throws SessionProtocolException {
        need(message, REFUSE_HEADER - 1, "REFUSE");
        int ending = message.get();
        if (ending < 0 || ending >= ChannelEnding.values().length) {
            throw SessionProtocolException.garbage("a REFUSE has the unknown ending " + ending);
        }
        return ChannelEnding.values()[ending];
    }

    /** Reads the text of a REFUSE, behind its ending. The text may come from an unauthenticated peer. */
    static String text(ByteBuffer message) throws SessionProtocolException {
        int length = Short.toUnsignedInt(message.getShort());
        if (length > MAX_TEXT || length != message.remaining()) {
            throw SessionProtocolException.garbage(
                    "a REFUSE announces " + length + " bytes of text, but " + message.remaining() + " arrived");
        }
        byte[] text = new byte[length];
        message.get(text);
        return printable(new String(text, StandardCharsets.UTF_8));
    }

    /** Makes the text of an unauthenticated peer safe for one log line. */
    static String printable(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ");
    }

    static void need(ByteBuffer message, int bytes, String kind) throws SessionProtocolException {
        if (message.remaining() < bytes) {
            throw SessionProtocolException.garbage(
                    kind + " is cut short: " + message.remaining() + " of " + bytes + " bytes arrived");
        }
    }

    static void needExactly(ByteBuffer message, int bytes, String kind) throws SessionProtocolException {
        need(message, bytes, kind);
        if (message.remaining() > bytes) {
            throw SessionProtocolException.garbage(
                    kind + " is too long: " + message.remaining() + " bytes instead of " + bytes);
        }
    }

    private static byte[] shortened(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (text.length <= MAX_TEXT) {
            return text;
        }
        int end = MAX_TEXT;
        while ((text[end] & 0xC0) == 0x80) {
            end--; // do not cut in the middle of a character
        }
        return Arrays.copyOf(text, end);
    }
}
