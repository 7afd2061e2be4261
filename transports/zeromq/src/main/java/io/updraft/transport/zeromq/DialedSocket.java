package io.updraft.transport.zeromq;

import io.updraft.transport.Address;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.PolledTimeout;
import org.zeromq.SocketType;
import org.zeromq.UncheckedZMQException;
import org.zeromq.ZMQ;
import org.zeromq.ZMonitor;
import zmq.Msg;

/**
 * The connecting end of one channel: a DEALER socket, which may be replaced while connecting. Owner only.
 *
 * <p>After connecting, JeroMQ 0.6.0 sometimes loses track of the connection, and reads and writes nothing until its own
 * timeout. Its poller briefly has the same file descriptor twice, and cancelling the old entry may remove the new one (JeroMQ's
 * pull request 1022; 1 to 6% of connections). So a connection on which ZeroMQ's handshake does not begin soon is replaced by a
 * new one. OPEN is sent only after the handshake has begun, so the peer has received nothing from the old connection.
 */
final class DialedSocket extends PolledSocket implements ZeroMqChannel.Line {

    /** Longer than any useful connect timeout: a channel never reconnects, so its connection must not either. */
    private static final int RECONNECT_MILLIS = 3_600_000;

    /** How long a handshake may take at first; doubled with each further connection. */
    private static final long FIRST_HANDSHAKE_NANOS = 250_000_000;

    private final Address address;
    private final PolledTimeout timeout;
    final ZeroMqChannel channel;
    private Attempt attempt;
    private long handshakeLimit = FIRST_HANDSHAKE_NANOS;
    private long nextLook;
    private boolean greeted;

    /** The state of a connection attempt; written by an I/O thread of JeroMQ. */
    private static final class Attempt {

        private volatile boolean failed;
        private volatile boolean agreed;
    }

    DialedSocket(ZeroMqTransport transport, Address address, ChannelHandler handler) {
        super(transport);
        this.address = address;
        timeout = new PolledTimeout(transport.settings.connectTimeoutNanos(), System.nanoTime());
        channel = new ZeroMqChannel(transport, this, handler, address.toString());
    }

    void dial() {
        Attempt current = new Attempt();
        attempt = current;
        nextLook = System.nanoTime() + handshakeLimit;
        ZMQ.Socket socket = open(SocketType.DEALER, address);
        socket.setReconnectIVL(RECONNECT_MILLIS);
        socket.base().setSocketOpt(zmq.ZMQ.ZMQ_HICCUP_MSG, ZeroMqProtocol.lost());
        socket.setEventHook(
                event -> note(current, event.getEvent()), ZMQ.EVENT_CONNECT_RETRIED | ZMQ.EVENT_HANDSHAKE_PROTOCOL);
        socket.connect("tcp://" + address);
    }

    /** Called by an I/O thread. A broken open connection is not reported here, but by a LOST in its stream, in order. */
    private void note(Attempt attempt, ZMonitor.Event event) {
        if (event == ZMonitor.Event.CONNECT_RETRIED) {
            attempt.failed = true;
        } else {
            attempt.agreed = true;
        }
        transport.wakeUp();
    }

    @Override
    long nextLook(long otherwise) {
        if (!channel.isOpening()) {
            return otherwise;
        }
        long check = timeout.nextCheck();
        return attempt.agreed || nextLook - check > 0 ? check : nextLook;
    }

    @Override
    int poll(int most) {
        int done = super.poll(most);
        return done + (isReleased() || !channel.isOpening() ? 0 : checkAttempt());
    }

    @Override
    void receive(Msg frame) {
        channel.received(frame.data());
    }

    private int checkAttempt() {
        long now = System.nanoTime();
        if (attempt.failed) {
            channel.end("no peer answers at " + address + ": check the address, and that the peer is running");
        } else if (timeout.check(now)) {
            channel.end("no answer from " + address + " within the connect timeout");
        } else if (attempt.agreed) {
            return greet();
        } else if (now - nextLook > 0) {
            redial();
        } else {
            return 0;
        }
        return 1;
    }

    /** Sends OPEN once, and not before ZeroMQ's own handshake, so no peer receives it from two connections. */
    private int greet() {
        if (greeted) {
            return 0;
        }
        greeted = true;
        send(ZeroMqProtocol.greeting(ZeroMqProtocol.OPEN, transport.settings.window()));
        return 1;
    }

    private void redial() {
        handshakeLimit *= 2;
        close(0);
        try {
            dial();
        } catch (UncheckedZMQException | IllegalArgumentException refused) {
            release(0);
            channel.end("cannot create a socket for a channel to " + address + ": " + refused);
        }
    }

    @Override
    public boolean send(byte[] frame) {
        return send(frame, 0);
    }

    @Override
    public void release(boolean linger) {
        release(linger ? LINGER_MILLIS : 0);
    }

    @Override
    void abandon() {
        channel.abandon();
    }
}
