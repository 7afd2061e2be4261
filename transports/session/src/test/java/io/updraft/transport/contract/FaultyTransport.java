package io.updraft.transport.contract;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A transport whose channels can be cut or made half-open while in use. */
final class FaultyTransport extends ForwardingTransport {

    private final List<Faulty> channels = new ArrayList<>();
    private final int buffer;
    private final Consumer<String> violation;

    /**
     * Wraps a transport.
     *
     * @param real the transport
     * @param buffer bytes that each channel may hold unsent, beside one message
     * @param violation hears of channels that hold more
     */
    FaultyTransport(Transport real, int buffer, Consumer<String> violation) {
        super(real);
        this.buffer = buffer;
        this.violation = violation;
    }

    /** Closes a channel; its messages under way may be lost in the middle of one. {@return whether there was any} */
    boolean cut(SplittableRandom random) {
        return toAny(random, faulty -> faulty.channel.close());
    }

    /** Lets nothing through any more, in either direction, and says nothing of it. {@return whether there was any} */
    boolean mute(SplittableRandom random) {
        return toAny(random, faulty -> faulty.muted = true);
    }

    private boolean toAny(SplittableRandom random, Consumer<Faulty> what) {
        if (channels.isEmpty()) {
            return false;
        }
        what.accept(channels.get(random.nextInt(channels.size())));
        return true;
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        return super.bind(address, () -> new Faulty(acceptor.accept()));
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        super.connect(address, new Faulty(handler));
    }

    private final class Faulty implements ChannelHandler, Channel {

        private final ChannelHandler handler;
        private Channel channel;
        private boolean muted;

        Faulty(ChannelHandler handler) {
            this.handler = handler;
        }

        @Override
        public void onOpen(Channel opened) {
            channel = opened;
            channels.add(this);
            handler.onOpen(this);
        }

        @Override
        public void onMessage(ByteBuffer message) {
            if (!muted) {
                handler.onMessage(message);
            }
        }

        @Override
        public void onWritable() {
            if (!muted) {
                handler.onWritable();
            }
        }

        @Override
        public void onClosed(String reason) {
            channels.remove(this);
            handler.onClosed(reason);
        }

        @Override
        public int maxMessage() {
            return channel.maxMessage();
        }

        @Override
        public boolean offer(ByteBuffer head, ByteBuffer body) {
            if (muted) {
                head.position(head.limit());
                body.position(body.limit());
                return true;
            }
            boolean taken = channel.offer(head, body);
            if (channel.unsent() > buffer + (long) channel.maxMessage()) {
                violation.accept("a channel holds " + channel.unsent() + " bytes unsent, of a buffer of " + buffer);
            }
            return taken;
        }

        @Override
        public void flush() {
            channel.flush();
        }

        @Override
        public long unsent() {
            return channel.unsent();
        }

        @Override
        public String peer() {
            return channel.peer();
        }

        @Override
        public void close() {
            channel.close();
        }
    }
}
