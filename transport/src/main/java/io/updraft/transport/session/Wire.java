package io.updraft.transport.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The messages of a session, version {@value #VERSION}. Numbers are big-endian; a message that is longer or shorter than its
 * layout says closes the channel. {@code HELLO} up to its version and all of {@code REFUSE} stay as they are in every
 * version, so that versions that do not understand each other can say so.
 *
 * <pre>
 *   HELLO    the first message of each side; the one that opened the channel begins
 *   +---+-----------+---------+------+--------+----------+--------+-------------+---------+--------+-------------+
 *   | 1 | "UPDR"    | version | role | method | nonce    | worker | incarnation | channel | length | topology id |
 *   |   | 4         | 2       | 1    | 1      | 32       | 4      | 8           | 8       | 2      | length      |
 *   +---+-----------+---------+------+--------+----------+--------+-------------+---------+--------+-------------+
 *     role     1 it opened the channel, 2 it listened
 *     method   of proof: 0 none, 1 HMAC-SHA256
 *     channel  grows with each channel that a process opens; 0 from the one that listened
 *
 *   PROOF    the second message of each side; again the one that opened the channel begins
 *   +---+--------+---------------+
 *   | 2 | credit | proof         |    credit  bytes of frames that the other side may send for a start
 *   |   | 4      | 0 or 32       |    proof   see ConnectionProof
 *   +---+--------+---------------+
 *
 *   REFUSE   the last message of a side, at any time
 *   +---+--------+--------+------+
 *   | 3 | ending | length | text |    ending  0 goodbye, 1 error, 2 refused
 *   |   | 1      | 2      | UTF-8|    text    for people, up to 512 bytes
 *   +---+--------+--------+------+
 *
 *   After both proofs, a frame, in one message or in a first one, any number in the middle and a last one. Nothing but
 *   ACCOUNT and REFUSE may come between the parts of a frame.
 *   +---+-------+   +---+--------+-------+   +---+-------+   +---+-------+
 *   | 4 | bytes |   | 5 | length | bytes |   | 6 | bytes |   | 7 | bytes |    length  of the whole frame, 2 to 64 Mi
 *   |   | 1..   |   |   | 4      | 1..   |   |   | 1..   |   |   | 1..   |
 *   +---+-------+   +---+--------+-------+   +---+-------+   +---+-------+
 *
 *   ACCOUNT  credit and heartbeat in one: all that this side has received over this channel and lets the other send
 *   +---+--------+-------+---------+
 *   | 8 | frames | bytes | granted |    frames, bytes  that its handler was given
 *   |   | 8      | 8     | 8       |    granted        bytes of frames since the channel opened, the first credit included
 *   +---+--------+-------+---------+
 * </pre>
 *
 * <p>The order of a handshake, in which nobody proves anything to a peer that has not said who it is, and the one that
 * listens proves nothing to a peer that has not proved itself:
 *
 * <pre>
 *   connector                      listener
 *      | HELLO ----------------------> |
 *      | <---------------------- HELLO |
 *      | PROOF ----------------------> |   open
 *  open| <---------------------- PROOF |
 * </pre>
 */
final class Wire {

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

    /** Bytes before those of the frame in {@link #WHOLE}, {@link #MIDDLE} and {@link #LAST}. */
    static final int PART_HEADER = 1;
    /** Bytes before those of the frame in {@link #FIRST}. */
    static final int FIRST_HEADER = PART_HEADER + Integer.BYTES;
    /** All bytes of {@link #ACCOUNT}. */
    static final int ACCOUNT_BYTES = 1 + 3 * Long.BYTES;

    private static final int MAX_TEXT = 512;
    private static final int REFUSE_HEADER = 1 + 1 + Short.BYTES;

    private Wire() {}

    static ByteBuffer refuse(Ending ending, String reason) {
        byte[] text = shortened(reason);
        ByteBuffer message = ByteBuffer.allocate(REFUSE_HEADER + text.length);
        message.put(REFUSE).put((byte) ending.ordinal()).putShort((short) text.length);
        return message.put(text).flip();
    }

    /** Reads the ending of a REFUSE from behind its kind. */
    static Ending ending(ByteBuffer message) throws ProtocolException {
        need(message, REFUSE_HEADER - 1, "REFUSE");
        int ending = message.get();
        if (ending < 0 || ending >= Ending.values().length) {
            throw ProtocolException.garbage("a REFUSE has the unknown ending " + ending);
        }
        return Ending.values()[ending];
    }

    /** Reads the text of a REFUSE from behind its ending. It may come from anybody. */
    static String text(ByteBuffer message) throws ProtocolException {
        int length = Short.toUnsignedInt(message.getShort());
        if (length > MAX_TEXT || length != message.remaining()) {
            throw ProtocolException.garbage(
                    "the text of a REFUSE is " + length + " bytes, " + message.remaining() + " came");
        }
        byte[] text = new byte[length];
        message.get(text);
        return printable(new String(text, StandardCharsets.UTF_8));
    }

    /** A stranger's text, fit for a line of a log. */
    static String printable(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ");
    }

    static void need(ByteBuffer message, int bytes, String kind) throws ProtocolException {
        if (message.remaining() < bytes) {
            throw ProtocolException.garbage(
                    kind + " cut short: " + message.remaining() + " of " + bytes + " bytes came");
        }
    }

    static void needExactly(ByteBuffer message, int bytes, String kind) throws ProtocolException {
        need(message, bytes, kind);
        if (message.remaining() > bytes) {
            throw ProtocolException.garbage(kind + " too long: " + message.remaining() + " bytes instead of " + bytes);
        }
    }

    private static byte[] shortened(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (text.length <= MAX_TEXT) {
            return text;
        }
        int end = MAX_TEXT;
        while ((text[end] & 0xC0) == 0x80) {
            end--; // not in the middle of a character
        }
        return Arrays.copyOf(text, end);
    }
}
