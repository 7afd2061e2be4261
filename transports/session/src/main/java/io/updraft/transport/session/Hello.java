package io.updraft.transport.session;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The first message of a side. {@link SessionProtocol} defines its layout.
 *
 * @param role the end of the channel that sends the hello
 * @param nonce fresh random bytes
 * @param peer the claimed identity of the sender
 */
record Hello(Role role, byte method, byte[] nonce, PeerIdentity peer, long channel) {

    static final byte NO_PROOF = 0;
    static final byte HMAC_SHA256 = 1;
    static final int NONCE_BYTES = 32;

    private static final int TO_VERSION = Integer.BYTES + Short.BYTES;
    private static final int FIXED = 1 + 1 + NONCE_BYTES + Integer.BYTES + 2 * Long.BYTES + Short.BYTES;

    byte[] encode() {
        byte[] topology = peer.topologyId().getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocate(1 + TO_VERSION + FIXED + topology.length);
        message.put(SessionProtocol.HELLO).putInt(SessionProtocol.MAGIC).putShort((short) SessionProtocol.VERSION);
        message.put(role.code()).put(method).put(nonce);
        message.putInt(peer.worker()).putLong(peer.incarnation()).putLong(channel);
        message.putShort((short) topology.length).put(topology);
        return message.array();
    }

    /** Reads a hello, without the kind byte. */
    static Hello decode(ByteBuffer message, Role expected) throws SessionProtocolException {
        checkVersion(message);
        SessionProtocol.need(message, FIXED, "HELLO");
        if (message.get() != expected.code()) {
            throw SessionProtocolException.refused("a HELLO has the wrong role: the peer may have sent it back");
        }
        byte method = message.get();
        byte[] nonce = new byte[NONCE_BYTES];
        message.get(nonce);
        int worker = message.getInt();
        long incarnation = message.getLong();
        long channel = message.getLong();
        return new Hello(expected, method, nonce, new PeerIdentity(topology(message), worker, incarnation), channel);
    }

    private static void checkVersion(ByteBuffer message) throws SessionProtocolException {
        SessionProtocol.need(message, TO_VERSION, "HELLO");
        if (message.getInt() != SessionProtocol.MAGIC) {
            throw SessionProtocolException.garbage("the first message is not a HELLO of Updraft");
        }
        int version = Short.toUnsignedInt(message.getShort());
        if (version != SessionProtocol.VERSION) {
            throw SessionProtocolException.refused(
                    "one side uses version " + SessionProtocol.VERSION + " of the session protocol, the"
                            + " other version " + version + ": run the same version of Updraft on both sides");
        }
    }

    private static String topology(ByteBuffer message) throws SessionProtocolException {
        int length = Short.toUnsignedInt(message.getShort());
        if (length > MessengerOptions.MAX_TOPOLOGY_ID_BYTES) {
            throw SessionProtocolException.garbage("a HELLO has a topology id of " + length + " bytes, more than "
                    + MessengerOptions.MAX_TOPOLOGY_ID_BYTES);
        }
        SessionProtocol.needExactly(message, length, "topology id");
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(message).toString();
        } catch (CharacterCodingException e) {
            throw SessionProtocolException.garbage("the topology id of a HELLO is not UTF-8");
        }
    }
}
