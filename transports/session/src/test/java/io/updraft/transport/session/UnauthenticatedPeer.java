package io.updraft.transport.session;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A peer with a bare channel that sends any message of a test. */
final class UnauthenticatedPeer implements ChannelHandler {

    final List<byte[]> heard = new ArrayList<>();
    Channel channel;
    String closed;

    private final Transport transport;

    UnauthenticatedPeer(SimulatedSessions world) {
        transport = world.network.transport();
        world.others.add(transport::poll);
    }

    /** Connects to where the world listens. */
    UnauthenticatedPeer connect(SimulatedSessions world) {
        transport.connect(SimulatedSessions.HERE, this);
        world.settle();
        return this;
    }

    Transport transport() {
        return transport;
    }

    void say(SimulatedSessions world, byte[] message) {
        channel.offer(ByteBuffer.wrap(message));
        channel.flush();
        world.settle();
    }

    /** What the last message says, if it is a REFUSE. */
    String refusal() throws SessionProtocolException {
        ByteBuffer last = ByteBuffer.wrap(heard.get(heard.size() - 1));
        if (last.get() != SessionProtocol.REFUSE) {
            throw new AssertionError("no REFUSE but kind " + last.get(0));
        }
        return SessionProtocol.ending(last) + ": " + SessionProtocol.text(last);
    }

    @Override
    public void onOpen(Channel opened) {
        channel = opened;
    }

    @Override
    public void onMessage(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        heard.add(bytes);
    }

    @Override
    public void onWritable() {
        // What it says is short.
    }

    @Override
    public void onClosed(String reason) {
        closed = reason;
    }

    /** A channel that takes everything. */
    static final class Sink implements Channel {

        @Override
        public int maxMessage() {
            return 1024;
        }

        @Override
        public boolean offer(ByteBuffer head, ByteBuffer body) {
            head.position(head.limit());
            body.position(body.limit());
            return true;
        }

        @Override
        public void flush() {
            // Nothing is kept.
        }

        @Override
        public long unsent() {
            return 0;
        }

        @Override
        public String peer() {
            return "nobody";
        }

        @Override
        public void close() {
            // Never open.
        }
    }
}
