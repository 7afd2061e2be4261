package io.updraft.transport.session;

import io.updraft.transport.security.ConnectionProof;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.security.Role;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** One side of the handshake of one channel: what it says and what it makes of what it hears. {@link Wire} has the order. */
final class Handshake {

    private final Role role;
    private final Peer self;
    private final Credentials credentials;
    private final byte[] nonce;
    private final byte[] ownHello;
    private Hello theirs;
    private ConnectionProof proof;

    Handshake(Role role, Peer self, Credentials credentials, byte[] nonce, long channel) {
        this.role = role;
        this.self = self;
        this.credentials = credentials;
        this.nonce = nonce;
        ownHello = new Hello(role, method(), nonce, self, channel).encode();
    }

    ByteBuffer hello() {
        return ByteBuffer.wrap(ownHello);
    }

    /** Takes the other side's hello, from behind its kind. Whoever it says it is has still to be proved. */
    void onHello(ByteBuffer message) throws ProtocolException {
        byte[] bytes = new byte[message.remaining() + 1];
        bytes[0] = Wire.HELLO;
        message.duplicate().get(bytes, 1, message.remaining());
        theirs = Hello.decode(message, role.other());
        check();
        boolean first = role == Role.CONNECTOR;
        proof = new ConnectionProof(credentials, first ? ownHello : bytes, first ? bytes : ownHello);
    }

    ByteBuffer proof(int credit) {
        byte[] bytes = proof.by(role, credit);
        ByteBuffer message = ByteBuffer.allocate(1 + Integer.BYTES + bytes.length);
        return message.put(Wire.PROOF).putInt(credit).put(bytes).flip();
    }

    /**
     * Takes the other side's proof, from behind its kind.
     *
     * @return bytes of frames that it lets this side send
     */
    int onProof(ByteBuffer message) throws ProtocolException {
        int bytes = credentials.secret().isPresent() ? ConnectionProof.BYTES : 0;
        Wire.needExactly(message, Integer.BYTES + bytes, "PROOF");
        int credit = message.getInt();
        byte[] theirProof = new byte[bytes];
        message.get(theirProof);
        if (!proof.isBy(role.other(), credit, theirProof)) {
            throw ProtocolException.refused(
                    "the proof is wrong: both sides must have the same secret of topology " + self.topologyId());
        }
        if (credit < 0) {
            throw ProtocolException.garbage("a PROOF gives " + credit + " bytes of credit");
        }
        return credit;
    }

    boolean hasPeer() {
        return theirs != null;
    }

    /** Who the other side says it is; true after {@link #onProof} only. */
    Peer peer() {
        return theirs.peer();
    }

    /** The number of the channel, as the other side says. */
    long channel() {
        return theirs.channel();
    }

    private void check() throws ProtocolException {
        if (!theirs.peer().topologyId().equals(self.topologyId())) {
            throw ProtocolException.refused("one side belongs to topology '"
                    + Wire.printable(theirs.peer().topologyId()) + "', the other to another one");
        }
        if (theirs.method() != method()) {
            throw ProtocolException.refused("one side has a secret and the other has none, or proves it in another way:"
                    + " give both the same secret");
        }
        if (Arrays.equals(theirs.nonce(), nonce)) {
            throw ProtocolException.refused("the peer sends back what this side sent");
        }
    }

    private byte method() {
        return credentials.secret().isPresent() ? Hello.HMAC_SHA256 : Hello.NO_PROOF;
    }
}
