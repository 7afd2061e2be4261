package io.updraft.transport.zeromq;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
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
final class ZeroMqBinding extends PolledSocket implements Binding {

    private static final Logger LOG = LoggerFactory.getLogger(ZeroMqBinding.class);

    private final ChannelAcceptor acceptor;
    private final ListeningSocket listener = new ListeningSocket();
    private final Address address;

    /**
     * The channels by identity, from OPEN until the connection has ended. Closed channels are kept so that their further
     * messages are dropped.
     */
    private final Map<ByteBuffer, ZeroMqChannel> channels = new HashMap<>();

    private boolean closed;

    ZeroMqBinding(ZeroMqTransport transport, Address requested, ChannelAcceptor acceptor) throws TransportException {
        super(transport);
        this.acceptor = acceptor;
        ZMQ.Socket socket = open(SocketType.ROUTER, requested);
        try {
            socket.setSelectorChooser(listener);
            socket.base().setSocketOpt(zmq.ZMQ.ZMQ_DISCONNECT_MSG, ZeroMqProtocol.lost());
            socket.bind("tcp://" + requested);
            address = new Address(requested.host(), listener.port());
        } catch (ZMQException | IllegalArgumentException refused) {
            release(0);
            throw new TransportException(
                    "zeromq: cannot listen on " + requested
                            + ": the port is in use or the address is not on this host; "
                            + "choose another port or address",
                    refused);
        }
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    void receive(Msg message) {
        Msg first = next();
        // An Updraft peer sends one frame. Of a foreign message with several frames, only the first is read.
        for (Msg part = first; part != null && part.hasMore(); ) {
            part = next();
        }
        if (first == null) {
            return;
        }
        byte[] identity = message.data();
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
        ZeroMqChannel.Line line = new RouterLine(identity);
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
            ZeroMqChannel channel = new ZeroMqChannel(transport, line, handler, peer);
            channels.put(ByteBuffer.wrap(identity), channel);
            line.send(ZeroMqProtocol.greeting(ZeroMqProtocol.OPENED, transport.settings.window()));
            channel.open(window);
        }
    }

    /**
     * Returns whether too many closed channels are still connected. A ROUTER cannot disconnect a peer, so closed peers that
     * stay only take the room of later peers.
     */
    private boolean isFull() {
        int most = transport.settings.maxClosed();
        return channels.size() >= most
                && channels.values().stream().filter(ZeroMqChannel::isClosed).count() >= most;
    }

    private ChannelHandler accept(ZeroMqChannel.Line line, String peer) {
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
        String address = metadata == null ? null : metadata.get(Metadata.PEER_ADDRESS);
        return address == null ? "a peer" : address;
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
        if (closed && channels.isEmpty()) {
            release(0);
        }
    }

    @Override
    void abandon() {
        channels.values().forEach(ZeroMqChannel::abandon);
        channels.clear();
        listener.close();
        release(LINGER_MILLIS);
    }

    private final class RouterLine implements ZeroMqChannel.Line {

        private final byte[] identity;

        RouterLine(byte[] identity) {
            this.identity = identity;
        }

        @Override
        public boolean send(byte[] frame) {
            return ZeroMqBinding.this.send(identity, ZMQ.SNDMORE) && ZeroMqBinding.this.send(frame, 0);
        }

        /** Does nothing: a ROUTER cannot disconnect a peer. The peer disconnects when it receives CLOSE. */
        @Override
        public void release(boolean linger) {}
    }
}
