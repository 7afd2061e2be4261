package io.updraft.transport.netty;

/**
 * The wire format: each message follows a header of four bytes, big-endian.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-----------------------------------------------------------+
 *  |0|C|  length of the body, bytes, at least 1                    |
 *  +-+-+-----------------------------------------------------------+
 *  |  body: the message; if C is set, compressed (see Compression) |
 *  +---------------------------------------------------------------+
 * </pre>
 */
final class NettyFrames {

    static final int HEADER = Integer.BYTES;
    static final int COMPRESSED = 1 << 30;
    static final int MAX_BODY = COMPRESSED - 1;

    private static final int TLS_MAJOR = 3;
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;

    private NettyFrames() {}

    static boolean isWrong(int header, int maxMessage) {
        int body = header & MAX_BODY;
        int most = (header & COMPRESSED) == 0 ? maxMessage : maxMessage + MessageCompression.HEADER;
        return header < 0 || body == 0 || body > most;
    }

    /** Explains why a header is wrong, and which kind of sender it suggests. */
    static String explain(String peer, int header, int maxMessage) {
        if (header >>> 24 == TLS_HANDSHAKE && (header >>> 16 & 0xFF) == TLS_MAJOR
                || header >>> 24 == TLS_ALERT && (header >>> 16 & 0xFF) == TLS_MAJOR) {
            return peer + " speaks TLS, but here " + Tls.ENABLED + " is false: set it to the same value at both ends";
        }
        int body = header & MAX_BODY;
        if (header >= 0 && body > 0) {
            return peer + " sends a message of " + body + " bytes, but the limit is " + maxMessage
                    + ": it is not an Updraft peer, or its updraft.transport.max.message.bytes is larger";
        }
        return peer + " sends garbage (header " + Integer.toHexString(header) + "): it is not an Updraft peer";
    }
}
