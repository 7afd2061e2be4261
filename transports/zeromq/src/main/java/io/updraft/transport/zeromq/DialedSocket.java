package io.updraft.transport.zeromq;

import io.updraft.transport.Address;
import io.updraft.transport.PolledTimeout;
import org.zeromq.SocketType;
import org.zeromq.UncheckedZMQException;
import org.zeromq.ZMQ;
import org.zeromq.ZMonitor;

/**
 * The connecting end of one channel: a DEALER socket, which may be replaced while connecting. Owner only.
 *
 * <p>After connecting, JeroMQ 0.6.0 sometimes loses track of the connection, and reads and writes nothing until its own
 * timeout. Its poller briefly has the same file descriptor twice, and cancelling the old entry may remove the new one (JeroMQ's
 * pull request 1022; 1 to 6% of connections). So a connection on which ZeroMQ's handshake does not begin soon is replaced by a
 * new one. OPEN is sent only after the handshake has begun, so the peer has received nothing from the old connection.
 */
final class DialedSocket implements ChannelSocket {

    /** Time to send the last frames before the socket closes, milliseconds. */
    static final int LINGER_MILLIS = 500;

    /** Longer than any useful connect timeout: a channel never reconnects, so its connection must not either. */
    private static final int RECONNECT_MILLIS = 3_600_000;

    /** How long a handshake may take at first; doubled with each further connection. */
    private static final long FIRST_HANDSHAKE_NANOS = 250_000_000;

    private final ZMQ.Context context;
    private final ZeroMqSettings settings;
    private final Address address;
    private final Owner owner;
    private final PolledTimeout timeout;

    private ZeroMqChannel channel;
    private ZMQ.Socket socket;
    private Attempt attempt;
    private long handshakeLimit = FIRST_HANDSHAKE_NANOS;
    private long nextLook;
    private boolean greeted;
    private boolean released;

    /** The transport that polls this. */
    interface Owner {

        /** Makes await return when there is input for the socket. */
        void watch(ZMQ.Socket socket);

        /** From any thread. */
        void wakeUp();
    }

    /** The state of a connection attempt; written by an I/O thread of JeroMQ. */
    private static final class Attempt {

        private volatile boolean failed;
        private volatile boolean agreed;
    }

    DialedSocket(ZMQ.Context context, ZeroMqSettings settings, Address address, Owner owner) {
        this.context = context;
        this.settings = settings;
        this.address = address;
        this.owner = owner;
        timeout = new PolledTimeout(settings.connectTimeoutNanos(), System.nanoTime());
    }

    /**
     * Starts to connect.
     *
     * @param opening the channel that opens when the peer answers
     */
    void connect(ZeroMqChannel opening) {
        channel = opening;
        dial();
    }

    private void dial() {
        Attempt current = new Attempt();
        attempt = current;
        nextLook = System.nanoTime() + handshakeLimit;
        socket = context.socket(SocketType.DEALER);
        settings.apply(socket);
        socket.setIPv6(address.host().indexOf(':') >= 0);
        socket.setReconnectIVL(RECONNECT_MILLIS);
        socket.base().setSocketOpt(zmq.ZMQ.ZMQ_HICCUP_MSG, ZeroMqProtocol.lost());
        socket.setEventHook(
                event -> note(current, event.getEvent()), ZMQ.EVENT_CONNECT_RETRIED | ZMQ.EVENT_HANDSHAKE_PROTOCOL);
        owner.watch(socket);
        socket.connect("tcp://" + address);
    }

    /** Called by an I/O thread. A broken open connection is not reported here, but by a LOST in its stream, in order. */
    private void note(Attempt which, ZMonitor.Event event) {
        if (event == ZMonitor.Event.CONNECT_RETRIED) {
            which.failed = true;
        } else {
            which.agreed = true;
        }
        owner.wakeUp();
    }

    ZMQ.Socket socket() {
        return socket;
    }

    ZeroMqChannel channel() {
        return channel;
    }

    boolean isReleased() {
        return released;
    }

    /** {@return when to check the attempt again, by the clock of System.nanoTime} */
    long nextLook() {
        long check = timeout.nextCheck();
        return attempt.agreed || nextLook - check > 0 ? check : nextLook;
    }

    /** Receives up to a number of frames and checks the connection attempt. */
    int poll(int most) {
        int done = 0;
        while (done < most && !released) {
            byte[] frame = SocketFrames.receive(socket);
            if (frame == null) {
                break;
            }
            channel.received(frame);
            done++;
        }
        return done + (released || !channel.isOpening() ? 0 : checkAttempt());
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
        SocketFrames.send(socket, ZeroMqProtocol.greeting(ZeroMqProtocol.OPEN, settings.window()));
        return 1;
    }

    private void redial() {
        handshakeLimit *= 2;
        hangUp(0);
        try {
            dial();
        } catch (UncheckedZMQException | IllegalArgumentException refused) {
            released = true;
            channel.end("cannot create a socket for a channel to " + address + ": " + refused);
        }
    }

    @Override
    public boolean send(byte[] frame) {
        return !released && SocketFrames.send(socket, frame);
    }

    @Override
    public void release(boolean linger) {
        if (!released) {
            released = true;
            hangUp(linger ? LINGER_MILLIS : 0);
        }
    }

    private void hangUp(int lingerMillis) {
        if (socket != null) {
            socket.setLinger(lingerMillis);
            socket.close();
            socket = null;
        }
    }
}
