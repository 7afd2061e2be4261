package io.updraft.transport.zeromq;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.Msg;
import zmq.io.Metadata;

/**
 * A ROUTER socket and the channels that peers have opened through it. Owner only.
 *
 * <p>{@link #close} stops listening. The socket stays open as long as channels need it.
 */
final class ZeroMqBinding implements Binding {

    private static final Logger LOG = LoggerFactory.getLogger(ZeroMqBinding.class);

    private final ZeroMqSettings settings;
    private final ChannelAcceptor acceptor;
    private final Consumer<Runnable> later;
    private final Consumer<ZeroMqChannel> owingCredit;
    private final ListeningSocket listener = new ListeningSocket();
    private final ZMQ.Socket socket;
    private final Address address;

    /**
     * The channels by identity, from OPEN until the connection has ended. Closed channels are kept so that their further
     * messages are dropped.
     */
    private final Map<ByteBuffer, ZeroMqChannel> channels = new HashMap<>();

    private boolean closed;
    private boolean released;

    ZeroMqBinding(
            ZMQ.Context context,
            ZeroMqSettings settings,
            Address wanted,
            ChannelAcceptor acceptor,
            Consumer<Runnable> later,
            Consumer<ZeroMqChannel> debtors)
            throws TransportException {
        this.settings = settings;
        this.acceptor = acceptor;
        this.later = later;
        this.owingCredit = debtors;
        socket = context.socket(SocketType.ROUTER);
        settings.apply(socket);
        socket.setSelectorChooser(listener);
        socket.base().setSocketOpt(zmq.ZMQ.ZMQ_DISCONNECT_MSG, ZeroMqProtocol.lost());
        address = listen(wanted);
    }

    private Address listen(Address wanted) throws TransportException {
        try {
            socket.setIPv6(wanted.host().indexOf(':') >= 0);
            socket.bind("tcp://" + wanted);
            return new Address(wanted.host(), listener.port());
        } catch (ZMQException | IllegalArgumentException refused) {
            socket.setLinger(0);
            socket.close();
            throw new TransportException(
                    "zeromq: cannot listen on " + wanted + ": the port is in use or the address is not on this host; "
                            + "choose another port or address",
                    refused);
        }
    }

    @Override
    public Address address() {
        return address;
    }

    ZMQ.Socket socket() {
        return socket;
    }

    boolean isReleased() {
        return released;
    }

    int poll(int most) {
        int done = 0;
        while (done < most && !released) {
            byte[] identity = SocketFrames.receive(socket);
            if (identity == null) {
                break;
            }
            receive(identity);
            done++;
        }
        return done;
    }

    private void receive(byte[] identity) {
        Msg first = socket.base().recv(ZMQ.DONTWAIT);
        // An Updraft peer sends one frame. Of a foreign message with several frames, only the first is read.
        for (Msg part = first; part != null && part.hasMore(); ) {
            part = socket.base().recv(ZMQ.DONTWAIT);
        }
        if (first == null) {
            return;
        }
        ByteBuffer key = ByteBuffer.wrap(identity);
        byte[] frame = first.data();
        ZeroMqChannel channel = channels.get(key);
        if (ZeroMqProtocol.kind(frame) == ZeroMqProtocol.LOST) {
            forget(key, channel, frame);
        } else if (channel != null) {
            channel.received(frame);
        } else {
            open(identity, frame, peer(first));
        }
    }

    private void forget(ByteBuffer key, ZeroMqChannel channel, byte[] lost) {
        channels.remove(key);
        if (channel != null) {
            channel.received(lost);
        }
        releaseIfUnused();
    }

    private void open(byte[] identity, byte[] frame, String peer) {
        ChannelSocket line = new RouterLine(identity);
        int window = ZeroMqProtocol.kind(frame) == ZeroMqProtocol.OPEN ? ZeroMqProtocol.window(frame) : 0;
        if (window == 0 || closed) {
            line.send(ZeroMqProtocol.close(closed ? "the listener is closed" : "the protocol or its version differs"));
            return;
        }
        if (isFull()) {
            LOG.debug("zeromq: refusing {}: too many refused peers of {} stay connected", peer, address);
            line.send(ZeroMqProtocol.close("too many refused peers stay connected"));
            return;
        }
        ChannelHandler handler = accept(line, peer);
        if (handler != null) {
            ZeroMqChannel channel = new ZeroMqChannel(settings, line, handler, peer, later, owingCredit);
            channels.put(ByteBuffer.wrap(identity), channel);
            line.send(ZeroMqProtocol.greeting(ZeroMqProtocol.OPENED, settings.window()));
            channel.open(window);
        }
    }

    /**
     * Returns whether too many closed channels are still connected. A ROUTER cannot disconnect a peer, so closed peers that
     * stay only take the room of later peers.
     */
    private boolean isFull() {
        return channels.size() >= settings.maxClosed()
                && channels.values().stream().filter(ZeroMqChannel::isClosed).count() >= settings.maxClosed();
    }

    private ChannelHandler accept(ChannelSocket line, String peer) {
        try {
            ChannelHandler handler = acceptor.accept();
            if (handler == null) {
                line.send(ZeroMqProtocol.close("refused"));
            }
            return handler;
        } catch (RuntimeException thrown) {
            LOG.warn(
                    "zeromq: the acceptor of {} threw an exception; refusing the channel of {}", address, peer, thrown);
            line.send(ZeroMqProtocol.close("refused"));
            return null;
        }
    }

    private static String peer(Msg message) {
        Metadata metadata = message.getMetadata();
        String known = metadata == null ? null : metadata.get(Metadata.PEER_ADDRESS);
        return known == null ? "a peer" : known;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            listener.close();
            releaseIfUnused();
        }
    }

    private void releaseIfUnused() {
        if (closed && !released && channels.isEmpty()) {
            release(0);
        }
    }

    /** Closes at once with all channels, without a call to their handlers, because the transport closes. */
    void abandon() {
        channels.values().forEach(ZeroMqChannel::abandon);
        channels.clear();
        if (!released) {
            release(DialedSocket.LINGER_MILLIS);
        }
    }

    private void release(int lingerMillis) {
        released = true;
        listener.close();
        socket.setLinger(lingerMillis);
        socket.close();
    }

    /** The line to one peer. */
    private final class RouterLine implements ChannelSocket {

        private final byte[] identity;

        RouterLine(byte[] identity) {
            this.identity = identity;
        }

        @Override
        public boolean send(byte[] frame) {
            return !released && SocketFrames.send(socket, identity, frame);
        }

        /** Does nothing: a ROUTER cannot disconnect a peer. The peer disconnects when it receives CLOSE. */
        @Override
        public void release(boolean linger) {}
    }
}
