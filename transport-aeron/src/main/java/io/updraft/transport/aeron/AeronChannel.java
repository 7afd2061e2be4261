package io.updraft.transport.aeron;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.PolledTimeout;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One end of a channel. Owner only. */
final class AeronChannel implements Channel, Inbound.Receiver {

    private static final Logger LOG = LoggerFactory.getLogger(AeronChannel.class);

    /** How long a CLOSE may wait for room. */
    private static final long FAREWELL_NANOS = 500_000_000;

    private enum State {
        /** Waits for the peer's publication, or for its own to be connected. */
        OPENING,
        OPEN,
        /** Closed, but the peer has still to be told. */
        LEAVING,
        FINISHED
    }

    private final Settings settings;
    private final Outbound out;
    private final String peer;
    private final UnsafeBuffer greeting;
    private final Consumer<Runnable> later;
    private final PolledTimeout timeout;

    /** Null at the end that connects. */
    private final ChannelAcceptor acceptor;

    /** Null until a channel is accepted. */
    private ChannelHandler handler;

    private State state = State.OPENING;
    private boolean greeted;
    private boolean refused;
    private UnsafeBuffer farewell;
    private long farewellDeadline;

    private AeronChannel(
            Settings settings,
            Outbound out,
            String peer,
            UnsafeBuffer greeting,
            Consumer<Runnable> later,
            ChannelAcceptor acceptor,
            ChannelHandler handler) {
        this.settings = settings;
        this.out = out;
        this.peer = peer;
        this.greeting = greeting;
        this.later = later;
        this.acceptor = acceptor;
        this.handler = handler;
        timeout = new PolledTimeout(settings.connectTimeoutNanos(), System.nanoTime());
    }

    /** The end that connects: sends OPEN, and opens when OPENED comes. */
    static AeronChannel dialed(
            Settings settings,
            Outbound out,
            String peer,
            UnsafeBuffer open,
            Consumer<Runnable> later,
            ChannelHandler handler) {
        return new AeronChannel(settings, out, peer, open, later, null, handler);
    }

    /** The end that was connected to: has got OPEN, and opens when it can send OPENED. */
    static AeronChannel accepted(
            Settings settings,
            Outbound out,
            String peer,
            UnsafeBuffer opened,
            Consumer<Runnable> later,
            ChannelAcceptor acceptor) {
        return new AeronChannel(settings, out, peer, opened, later, acceptor, null);
    }

    /** {@return whether it is open or may come to be} */
    boolean isAlive() {
        return state == State.OPENING || state == State.OPEN;
    }

    boolean isFinished() {
        return state == State.FINISHED;
    }

    /** {@return whether it waits for something that only polling shows} */
    boolean isInBetween() {
        return state == State.OPENING || state == State.LEAVING;
    }

    /** {@return whether poll would call onWritable} */
    boolean hasRoomAgain() {
        return state == State.OPEN && refused && out.hasRoom();
    }

    int poll() {
        return switch (state) {
            case OPENING -> tryToOpen();
            case OPEN -> mind();
            case LEAVING -> leave();
            case FINISHED -> 0;
        };
    }

    private int tryToOpen() {
        try {
            if (out.isConnected()) {
                int done = acceptor == null ? greet() : accept();
                if (done > 0) {
                    return done;
                }
            }
        } catch (RuntimeException refusedByDriver) {
            LOG.debug("aeron: no publication to {}", peer, refusedByDriver);
            end("cannot send to " + peer + ": " + Driver.firstLine(refusedByDriver));
            return 1;
        }
        if (timeout.check(System.nanoTime())) {
            end("no answer from " + peer
                    + " within the connect timeout: is it the right address, and does the peer run?");
            return 1;
        }
        return 0;
    }

    private int greet() {
        if (greeted || !out.offer(greeting)) {
            return 0;
        }
        greeted = true;
        return 1;
    }

    private int accept() {
        if (handler == null) {
            handler = acceptor.accept();
        }
        if (handler == null) {
            refuse("refused");
            return 1;
        }
        if (greet() == 0) {
            return 0;
        }
        opened();
        return 1;
    }

    /** The peer can be sent to and receives. */
    void opened() {
        if (state == State.OPENING) {
            state = State.OPEN;
            guarded(() -> handler.onOpen(this));
        }
    }

    private int mind() {
        if (!out.isConnected()) {
            end("the connection to " + peer + " is lost: it receives no more");
            return 1;
        }
        if (refused && out.hasRoom()) {
            refused = false;
            guarded(handler::onWritable);
            return 1;
        }
        return 0;
    }

    private int leave() {
        if (out.isConnected() && !out.offer(farewell) && System.nanoTime() - farewellDeadline < 0) {
            return 0;
        }
        finish();
        return 1;
    }

    private void finish() {
        state = State.FINISHED;
        out.close();
    }

    @Override
    public int maxMessage() {
        return settings.maxMessage();
    }

    @Override
    public boolean offer(ByteBuffer head, ByteBuffer body) {
        int length = Channel.checkedLength(this, head, body);
        if (state != State.OPEN) {
            return false;
        }
        refused = !out.offer(length, head, body);
        return !refused;
    }

    /** Nothing to do: the driver sees what is offered. */
    @Override
    public void flush() {}

    @Override
    public long unsent() {
        return out.unsent();
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        if (state == State.OPEN) {
            endLater("closed by this side", "closed by the peer");
        }
    }

    @Override
    public void received(Inbound from, byte kind, DirectBuffer buffer, int offset, int length) {
        if (!isAlive()) {
            return;
        }
        if (kind == Wire.DATA && length > 0 && state == State.OPEN) {
            ByteBuffer message = bytes(buffer, offset, length);
            guarded(() -> handler.onMessage(message));
        } else if (kind == Wire.CLOSE) {
            end(peer + " closed the channel: " + Wire.reason(buffer, offset, length));
        } else {
            refuse("what came from " + peer + " is no message of this protocol");
        }
    }

    private static ByteBuffer bytes(DirectBuffer buffer, int offset, int length) {
        ByteBuffer mapped = buffer.byteBuffer();
        if (mapped == null) {
            return ByteBuffer.wrap(buffer.byteArray(), offset + buffer.wrapAdjustment(), length);
        }
        int position = offset + buffer.wrapAdjustment();
        return mapped.duplicate().limit(position + length).position(position);
    }

    @Override
    public void broken(String why) {
        refuse(why + " from " + peer);
    }

    @Override
    public void lost() {
        end("the connection to " + peer + " is lost");
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            LOG.warn("aeron: the handler of the channel to {} has thrown; the channel is closed", peer, thrown);
            refuse("its handler has thrown " + thrown);
        }
    }

    private void refuse(String reason) {
        String oneLine = reason.replaceAll("\\R", " ");
        endLater(oneLine, oneLine);
    }

    private void endLater(String reason, String forThePeer) {
        if (isAlive()) {
            state = State.LEAVING;
            farewell = Wire.close(forThePeer);
            farewellDeadline = System.nanoTime() + FAREWELL_NANOS;
            if (handler != null) {
                later.accept(() -> handler.onClosed(reason));
            }
        }
    }

    /** The channel is over, and the peer knows, or there is none. From within poll. */
    void end(String reason) {
        if (isAlive()) {
            finish();
            if (handler != null) {
                handler.onClosed(reason);
            }
        }
    }

    /** Tells the peer, if it can be told at once, and calls no handler any more: the transport closes. */
    void abandon() {
        if (state == State.OPEN) {
            out.offer(Wire.close("the peer shuts down"));
        }
    }
}
