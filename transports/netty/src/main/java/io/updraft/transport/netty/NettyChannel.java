package io.updraft.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.netty.MessageCompression.CorruptException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection. Owner only. */
final class NettyChannel implements Channel {

    private static final Logger LOG = LoggerFactory.getLogger(NettyChannel.class);

    private enum State {
        OPENING,
        OPEN,
        /** Closed by this side; the handler has not been called yet. */
        CLOSING,
        CLOSED
    }

    private final NettyTransport transport;
    private final WriteGatherer gather;
    private final NettyFrameReader reader;
    private final Supplier<ChannelHandler> handlers;
    private final boolean accepted;
    private State state = State.OPENING;
    private ChannelHandler handler;
    private String peer;
    private io.netty.channel.Channel connection;
    private ScheduledFuture<?> timeout;
    private boolean refused;
    private boolean dirty;

    /**
     * Creates a channel that is not connected yet.
     *
     * @param handlers returns the handler, once the channel opens
     * @param accepted whether the peer has opened the connection; then there is no handler before the channel is open
     * @param peer the address of the other end, as far as it is known
     */
    NettyChannel(NettyTransport transport, Supplier<ChannelHandler> handlers, boolean accepted, String peer) {
        this.transport = transport;
        this.handlers = handlers;
        this.accepted = accepted;
        this.peer = peer;
        gather = new WriteGatherer(this::written);
        reader = new NettyFrameReader(NettyTransport.ALLOCATOR, transport.settings.maxMessage(), this);
    }

    // Events of the connection, in order and from within poll: see Events.

    /** Reads received bytes, and releases the buffer. */
    private void read(ByteBuf bytes) {
        try {
            if (state == State.OPEN) {
                reader.read(bytes);
            }
        } finally {
            bytes.release();
        }
    }

    void openWithin(ScheduledFuture<?> limit) {
        timeout = limit;
    }

    boolean isOpening() {
        return state == State.OPENING;
    }

    /** Called when the connection is established, including TLS. */
    private void open() {
        if (state != State.OPENING) {
            return;
        }
        state = State.OPEN;
        transport.authenticated(this);
        peer = String.valueOf(connection.remoteAddress()).replaceFirst("^.*/", "");
        cancelTimeout();
        guarded(() -> {
            handler = handlers.get();
            handler.onOpen(this);
        });
    }

    /** Receives a frame; returns whether to continue reading. */
    boolean onFrame(ByteBuffer body, boolean compressed) {
        try {
            ByteBuffer message = compressed ? transport.packer.unpack(body) : body;
            guarded(() -> handler.onMessage(message));
        } catch (CorruptException corrupt) {
            end(peer + " sends " + corrupt.getMessage());
        }
        return state == State.OPEN;
    }

    /** Receives a wrong header; nothing more can be read. */
    void onWrong(int header) {
        end(NettyFrames.explain(peer, header, transport.settings.maxMessage()));
    }

    private void written() {
        if (refused && unsent() <= transport.settings.resumeBytes()) {
            refused = false;
            transport.later(this::writable);
        }
    }

    private void writable() {
        if (state == State.OPEN) {
            guarded(handler::onWritable);
        }
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (VirtualMachineError fatal) {
            end("its handler threw " + FailureReasons.thrown(fatal));
            transport.fatal(fatal);
        } catch (Throwable thrown) {
            LOG.warn("closing the channel with {}: its handler threw an exception", peer, thrown);
            end("its handler threw " + FailureReasons.thrown(thrown));
        }
    }

    void fail(Throwable failure) {
        end((state == State.OPENING && !accepted ? "cannot connect: " : "") + FailureReasons.of(peer, failure));
    }

    /** Closes the connection, and notifies the handler, once. */
    void end(String reason) {
        if (state == State.OPENING || state == State.OPEN) {
            state = State.CLOSING;
            release();
            transport.later(() -> closed(reason));
        }
    }

    private void closed(String reason) {
        state = State.CLOSED;
        if (handler == null && accepted) {
            transport.notAccepted(reason);
            return;
        }
        ChannelHandler last = handler == null ? handlers.get() : handler;
        guarded(() -> last.onClosed(reason));
    }

    /** Releases all resources without notifying the handler. */
    void discard() {
        state = State.CLOSED;
        release();
    }

    private void release() {
        cancelTimeout();
        reader.close();
        gather.close();
        transport.forget(this);
        if (connection != null) {
            connection.close();
        }
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }

    // Methods for the user.

    @Override
    public int maxMessage() {
        return transport.settings.maxMessage();
    }

    @Override
    public boolean offer(ByteBuffer head, ByteBuffer body) {
        transport.claimOwnership();
        int length = Channel.checkedLength(this, head, body);
        if (state != State.OPEN) {
            return false;
        }
        if (unsent() >= transport.settings.bufferBytes()) {
            refused = true;
            return false;
        }
        take(length, head, body);
        markDirty();
        return true;
    }

    private void take(int length, ByteBuffer head, ByteBuffer body) {
        ByteBuffer packed = transport.packer.pack(head, body);
        if (packed == null) {
            gather.begin(connection, length, length);
            gather.add(connection, head);
            gather.add(connection, body);
        } else {
            gather.begin(connection, packed.remaining() | NettyFrames.COMPRESSED, packed.remaining());
            gather.add(connection, packed);
            head.position(head.limit());
            body.position(body.limit());
        }
    }

    private void markDirty() {
        if (!dirty) {
            dirty = true;
            transport.flushLater(this);
        }
    }

    @Override
    public void flush() {
        transport.claimOwnership();
        // Within a poll, all channels are flushed once, at its end.
        if (dirty && !transport.isPolling()) {
            flushNow();
        }
    }

    boolean isDirty() {
        return dirty && state == State.OPEN;
    }

    /** Hands the collected messages to the network. */
    void flushNow() {
        if (isDirty()) {
            dirty = false;
            gather.flush(connection);
        }
    }

    @Override
    public long unsent() {
        return gather.unsent();
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        transport.claimOwnership();
        end("closed by this side");
    }

    @Override
    public String toString() {
        return "channel with " + peer;
    }

    /**
     * Receives Netty's events of the connection: the last handler of its pipeline.
     *
     * <p>Netty's events may occur while the owner awaits or sends. They are then deferred until the next poll, because the
     * user's handler is called from within poll only.
     */
    final class Events extends ChannelInboundHandlerAdapter {

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            connection = context.channel();
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (transport.settings.tls().isEmpty()) {
                transport.inOrder(NettyChannel.this::open);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                transport.inOrder(handshake.isSuccess() ? NettyChannel.this::open : () -> fail(handshake.cause()));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            transport.inOrder(new Read(NettyChannel.this, (ByteBuf) message));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            transport.inOrder(() -> fail(failure));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            transport.inOrder(() -> end("closed by " + peer));
        }
    }

    private record Read(NettyChannel channel, ByteBuf bytes) implements NettyTransport.Event {

        @Override
        public void run() {
            channel.read(bytes);
        }

        @Override
        public void drop() {
            bytes.release();
        }
    }
}
