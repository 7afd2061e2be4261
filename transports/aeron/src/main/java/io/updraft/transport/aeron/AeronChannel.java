package io.updraft.transport.aeron;

import io.updraft.base.text.OneLine;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.PolledTimeout;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One end of a channel. Owner only. */
final class AeronChannel implements Channel, ImageReader.Receiver {

    private static final Logger LOG = LoggerFactory.getLogger(AeronChannel.class);

    /** How long a CLOSE message may wait for room. */
    private static final long CLOSE_NANOS = 500_000_000;

    private enum State {
        /** Waits for the peer's publication, or for its own to be connected. */
        OPENING,
        OPEN,
        /** Closed, but the CLOSE message has not been sent yet. */
        LEAVING,
        FINISHED
    }

    private final AeronTransport transport;
    private final int maxMessage;
    private final PublicationWriter out;
    private final String peer;
    private final UnsafeBuffer greeting;
    private final PolledTimeout timeout;

    /** Null at the connecting end. */
    private final ChannelAcceptor acceptor;

    /** Null until a channel is accepted. */
    private ChannelHandler handler;

    private State state = State.OPENING;
    private boolean greeted;
    private boolean refused;
    private UnsafeBuffer closeMessage;
    private long closeDeadline;

    /**
     * Creates the connecting end, with a handler and no acceptor: it sends OPEN, and opens when OPENED arrives. Or creates the
     * accepting end, with an acceptor and no handler: it has received OPEN, and opens when it can send OPENED.
     */
    AeronChannel(
            AeronTransport transport,
            PublicationWriter out,
            String peer,
            UnsafeBuffer greeting,
            ChannelAcceptor acceptor,
            ChannelHandler handler) {
        this.transport = transport;
        this.out = out;
        this.peer = peer;
        this.greeting = greeting;
        this.acceptor = acceptor;
        this.handler = handler;
        maxMessage = transport.settings.maxMessage();
        timeout = new PolledTimeout(transport.settings.connectTimeoutNanos(), System.nanoTime());
    }

    boolean isAlive() {
        return state == State.OPENING || state == State.OPEN;
    }

    boolean isFinished() {
        return state == State.FINISHED;
    }

    /** {@return whether the channel waits for an event that only polling detects} */
    boolean isChanging() {
        return state == State.OPENING || state == State.LEAVING;
    }

    /** {@return whether poll would call onWritable} */
    boolean isWritableAgain() {
        return state == State.OPEN && refused && out.hasCapacity();
    }

    int poll() {
        return switch (state) {
            case OPENING -> tryToOpen();
            case OPEN -> checkConnection();
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
            LOG.debug("aeron: the driver refused a publication to {}", peer, refusedByDriver);
            end("cannot send to " + peer + ": " + AeronDriver.firstLine(refusedByDriver));
            return 1;
        }
        if (timeout.check(System.nanoTime())) {
            end("no answer from " + peer + " within the connect timeout: check the address, and that the peer runs");
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

    /** Opens the channel: the peer can be sent to, and receives. */
    void opened() {
        if (state == State.OPENING) {
            state = State.OPEN;
            guarded(() -> handler.onOpen(this));
        }
    }

    private int checkConnection() {
        if (!out.isConnected()) {
            end("the connection to " + peer + " is lost: the peer no longer receives");
            return 1;
        }
        if (refused && out.hasCapacity()) {
            refused = false;
            guarded(handler::onWritable);
            return 1;
        }
        return 0;
    }

    private int leave() {
        if (out.isConnected() && !out.offer(closeMessage) && System.nanoTime() - closeDeadline < 0) {
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
        return maxMessage;
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

    /** Does nothing: the driver sends offered messages by itself. */
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
    public void received(ImageReader reader, byte kind, DirectBuffer buffer, int offset, int length) {
        if (!isAlive()) {
            return;
        }
        if (kind == AeronProtocol.DATA && length > 0 && state == State.OPEN) {
            ByteBuffer message = bytes(buffer, offset, length);
            guarded(() -> handler.onMessage(message));
        } else if (kind == AeronProtocol.CLOSE) {
            end(peer + " closed the channel: " + AeronProtocol.reason(buffer, offset, length));
        } else {
            refuse("the message from " + peer + " is not of this protocol");
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
    public void broken(String reason) {
        refuse(reason + " from " + peer);
    }

    @Override
    public void lost() {
        end("the connection to " + peer + " is lost");
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            LOG.warn("aeron: closing the channel to {}: its handler threw an exception", peer, thrown);
            refuse("its handler threw " + thrown);
        }
    }

    private void refuse(String reason) {
        String oneLine = OneLine.of(reason);
        endLater(oneLine, oneLine);
    }

    private void endLater(String reason, String forThePeer) {
        if (isAlive()) {
            state = State.LEAVING;
            closeMessage = AeronProtocol.close(forThePeer);
            closeDeadline = System.nanoTime() + CLOSE_NANOS;
            if (handler != null) {
                transport.later(() -> handler.onClosed(reason));
            }
        }
    }

    /** Ends the channel at once, because the peer has been notified or is gone. From within poll. */
    void end(String reason) {
        if (isAlive()) {
            finish();
            if (handler != null) {
                handler.onClosed(reason);
            }
        }
    }

    /** Notifies the peer if that is possible at once, and calls no handler: the transport closes. */
    void abandon() {
        if (state == State.OPEN) {
            out.offer(AeronProtocol.close("the peer shuts down"));
        }
    }
}
