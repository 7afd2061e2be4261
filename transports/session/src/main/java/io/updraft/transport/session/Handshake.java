package io.updraft.transport.session;

import io.updraft.transport.security.Credentials;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One side of the handshake of one channel: creates its messages and checks those of the other side. {@link SessionProtocol} defines the
 * order.
 */
final class Handshake {

    private final Role role;
    private final PeerIdentity self;
    private final Credentials credentials;
    private final byte[] nonce;
    private final byte[] ownHello;
    private Hello peerHello;
    private ConnectionProof proof;

    Handshake(Role role, PeerIdentity self, Credentials credentials, byte[] nonce, long channel) {
        this.role = role;
        this.self = self;
        this.credentials = credentials;
        this.nonce = nonce;
        ownHello = new Hello(role, method(), nonce, self, channel).encode();
    }

    ByteBuffer hello() {
        return ByteBuffer.wrap(ownHello);
    }

    /** Reads the other side's hello, without the kind byte. The identity in the hello is not proved yet. */
    void onHello(ByteBuffer message) throws SessionProtocolException {
        byte[] bytes = new byte[message.remaining() + 1];
        bytes[0] = SessionProtocol.HELLO;
        message.duplicate().get(bytes, 1, message.remaining());
        peerHello = Hello.decode(message, role.other());
        check();
        boolean first = role == Role.CONNECTOR;
        proof = new ConnectionProof(credentials, first ? ownHello : bytes, first ? bytes : ownHello);
    }

    ByteBuffer proof(int credit) {
        byte[] bytes = proof.by(role, credit);
        ByteBuffer message = ByteBuffer.allocate(1 + Integer.BYTES + bytes.length);
        return message.put(SessionProtocol.PROOF).putInt(credit).put(bytes).flip();
    }

    /**
     * Reads and checks the other side's proof, without the kind byte.
     *
     * @return the credit: bytes of frames that this side may send
     */
    int onProof(ByteBuffer message) throws SessionProtocolException {
        int bytes = credentials.secret().isPresent() ? ConnectionProof.BYTES : 0;
        SessionProtocol.needExactly(message, Integer.BYTES + bytes, "PROOF");
        int credit = message.getInt();
        byte[] theirProof = new byte[bytes];
        message.get(theirProof);
        if (!proof.isBy(role.other(), credit, theirProof)) {
            throw SessionProtocolException.refused(
                    "the proof is wrong: both sides need the same secret of topology " + self.topologyId());
        }
        if (credit < 0) {
            throw SessionProtocolException.garbage("a PROOF grants a negative credit of " + credit + " bytes");
        }
        return credit;
    }

    boolean hasPeer() {
        return peerHello != null;
    }

    /** Returns the identity that the other side claims; proved only after {@link #onProof}. */
    PeerIdentity peer() {
        return peerHello.peer();
    }

    long channel() {
        return peerHello.channel();
    }

    private void check() throws SessionProtocolException {
        if (!peerHello.peer().topologyId().equals(self.topologyId())) {
            throw SessionProtocolException.refused("one side belongs to topology '"
                    + SessionProtocol.printable(peerHello.peer().topologyId())
                    + "', the other side to a different topology");
        }
        if (peerHello.method() != method()) {
            throw SessionProtocolException.refused(
                    "one side has a secret and the other none, or they use different methods:"
                            + " give both the same secret");
        }
        if (Arrays.equals(peerHello.nonce(), nonce)) {
            throw SessionProtocolException.refused("the peer sent the nonce of this side back");
        }
    }

    private byte method() {
        return credentials.secret().isPresent() ? Hello.HMAC_SHA256 : Hello.NO_PROOF;
    }
}
