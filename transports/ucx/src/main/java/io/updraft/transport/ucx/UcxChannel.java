package io.updraft.transport.ucx;

import io.updraft.base.text.OneLine;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.PolledTimeout;
import java.nio.ByteBuffer;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * One channel, from the start of connecting until UCX has removed its endpoint. Owner of the transport only.
 *
 * <pre>
 *   connects: endpoint, HELLO ──►          accepts: endpoint
 *                               ◄── HELLO           on HELLO: open
 *   on HELLO: open
 *   ... DATA, CREDIT both ways ...
 *   either side closes: BYE ──►            the other closes its endpoint by force,
 *   and waits a short time for that        which the first side is notified of
 * </pre>
 */
final class UcxChannel implements Channel {

    /** How long a side that has closed waits for the peer to receive BYE. */
    private static final long LINGER_NANOS = 500_000_000;

    final long id;
    private final UcxTransport transport;
    private final UcxReceiver in;
    private final UcxSender out;
    private final int maxMessage;
    private final PolledTimeout timeout;
    private final ChannelAcceptor acceptor;
    private ChannelHandler handler;
    private final String peer;
    private UcpEndpoint endpoint;
    private State state = State.OPENING;
    private String reason;

    /** The reason that UCX gave for the failure of the endpoint; set from within callbacks. */
    private String failure;

    private boolean peerHasClosed;
    private long lingerUntil;
    private UcpRequest forced;

    /** Whether the channel is in the transport's list of ready channels; the next field: of busy channels. */
    boolean isListedReady;

    boolean isListedBusy;

    /**
     * Creates a channel. A channel that a peer opens has an acceptor and no handler yet; a channel opened here has a handler.
     */
    UcxChannel(UcxTransport transport, String peer, ChannelAcceptor acceptor, ChannelHandler handler) {
        this.transport = transport;
        id = transport.numbers.nextLong();
        this.peer = peer;
        this.acceptor = acceptor;
        this.handler = handler;
        maxMessage = transport.options.maxMessageBytes();
        timeout = new PolledTimeout(transport.options.connectTimeoutNanos(), System.nanoTime());
        in = new UcxReceiver(transport.buffers, maxMessage);
        out = new UcxSender(transport.ucx, transport.options.bufferBytes(), in::grant);
    }

    /** Sets the endpoint, which may not be connected yet. */
    void attach(UcpEndpoint made) {
        endpoint = made;
        out.endpoint(made);
    }

    long endpointId() {
        return endpoint.getNativeId();
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    void sayHello() {
        attempt(() -> out.hello(id, UcxReceiver.WINDOW));
    }

    /** Called when UCX has given the endpoint up, from within a callback. */
    void failed(String reason) {
        failure = reason;
        transport.ready(this);
    }

    /** Takes a frame for this channel, from within a callback. Returns whether the channel keeps the frame. */
    boolean arrived(ByteBuffer frame) {
        if (state == State.CLOSED) {
            peerHasClosed |= UcxFrame.kind(frame) == UcxFrame.BYE;
            return false;
        }
        boolean accepted = in.arrive(frame);
        if (!accepted) {
            failed("the peer sent a frame twice, or too many ahead of one that is missing");
        }
        transport.ready(this);
        return accepted;
    }

    /** Reads the received frames; then closes the channel if the endpoint has failed. Returns the number of frames. */
    int process() {
        int frames = 0;
        for (ByteBuffer frame = next(); frame != null; frame = next()) {
            read(frame);
            transport.buffers.put(frame);
            frames++;
        }
        if (failure != null && state != State.CLOSED) {
            close(state == State.OPEN ? "the peer is gone (" + failure + ")" : unreachable(failure), false);
        }
        return frames;
    }

    private ByteBuffer next() {
        return state == State.CLOSED ? null : in.poll();
    }

    private void read(ByteBuffer frame) {
        try {
            understand(frame);
        } catch (UcxProtocolException refused) {
            close(refused.getMessage(), true);
        } catch (RuntimeException thrown) {
            close("the handler of the channel threw: " + OneLine.first(thrown), true);
        }
    }

    private void understand(ByteBuffer frame) throws UcxProtocolException {
        if (UcxFrame.version(frame) != UcxFrame.VERSION) {
            throw new UcxProtocolException("the peer has version " + UcxFrame.version(frame)
                    + " of the protocol, but this side has version " + UcxFrame.VERSION
                    + ": run the same release at both ends");
        }
        if (!out.peerConsumed(UcxFrame.consumed(frame))) {
            throw new UcxProtocolException("the peer claims to have received more than was sent");
        }
        transport.busy(this);
        switch (UcxFrame.kind(frame)) {
            case UcxFrame.HELLO -> hello(frame);
            case UcxFrame.DATA -> in.read(expectOpen(frame), () -> state == State.OPEN, handler::onMessage);
            case UcxFrame.CREDIT -> expectOpen(frame);
            case UcxFrame.BYE -> {
                peerHasClosed = true;
                close("the peer closed the channel", false);
            }
            default -> throw new UcxProtocolException("the peer sent a frame of unknown kind " + UcxFrame.kind(frame));
        }
    }

    private ByteBuffer expectOpen(ByteBuffer frame) throws UcxProtocolException {
        if (state != State.OPEN) {
            throw new UcxProtocolException("the peer sent data before its HELLO frame");
        }
        return frame;
    }

    private void hello(ByteBuffer frame) throws UcxProtocolException {
        if (state != State.OPENING || frame.limit() != UcxFrame.HEADER_BYTES + UcxFrame.HELLO_BYTES) {
            throw new UcxProtocolException("the peer sent a second HELLO frame, or an invalid one");
        }
        out.peer(frame.getLong(UcxFrame.HEADER_BYTES), frame.getLong(UcxFrame.HEADER_BYTES + Long.BYTES));
        state = State.OPEN;
        transport.opened(this);
        if (acceptor != null) {
            handler = acceptor.accept();
            sayHello();
        }
        if (state == State.OPEN) {
            handler.onOpen(this);
        }
    }

    /**
     * Handles what became possible: reuses memory, sends segments, calls onWritable, sends credit. Returns the amount of work.
     */
    int attend() {
        int done = out.reclaim();
        if (state != State.OPEN) {
            return done;
        }
        attempt(out::pump);
        if (state == State.OPEN && out.becameWritable()) {
            call(handler::onWritable);
            done++;
        }
        if (state == State.OPEN && in.owesCredit()) {
            attempt(() -> out.control(UcxFrame.CREDIT));
        }
        return done;
    }

    /** {@return whether there may be work without a frame arriving} */
    boolean isBusy() {
        return state == State.OPEN && (!out.isIdle() || out.isRefusing() || in.owesCredit());
    }

    boolean canAttend() {
        return out.canReclaim();
    }

    /** Closes the channel if it has not opened in time. Returns whether it is no longer opening. */
    boolean checkOpening(long now) {
        if (state == State.OPENING && timeout.check(now)) {
            close(unreachable("no answer within the connect timeout"), false);
        }
        return state != State.OPENING;
    }

    private String unreachable(String reason) {
        return "cannot open a channel to " + peer + " (" + reason + "): check the address, and that the peer runs";
    }

    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            close("the handler of the channel threw: " + OneLine.first(thrown), true);
        }
    }

    /** Runs a send. UCX refuses it on a failed endpoint, possibly before it has reported the failure. */
    private void attempt(Runnable sending) {
        try {
            sending.run();
        } catch (UcxException refused) {
            failed(OneLine.first(refused));
        }
    }

    @Override
    public int maxMessage() {
        return maxMessage;
    }

    @Override
    public boolean offer(ByteBuffer head, ByteBuffer body) {
        int length = Channel.checkedLength(this, head, body);
        if (state != State.OPEN || failure != null) {
            return false;
        }
        boolean accepted = out.offer(length, head, body);
        transport.busy(this);
        return accepted;
    }

    @Override
    public void flush() {
        if (state == State.OPEN && failure == null) {
            attempt(out::flush);
            transport.busy(this);
        }
    }

    @Override
    public long unsent() {
        return state == State.OPEN ? out.unsent() : 0;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        close("this side closed the channel", true);
    }

    /** Closes now; the handler is called in the next poll. */
    void close(String cause, boolean notifyPeer) {
        if (state == State.CLOSED) {
            return;
        }
        if (notifyPeer && state == State.OPEN && failure == null) {
            attempt(() -> out.control(UcxFrame.BYE));
        }
        state = State.CLOSED;
        reason = cause;
        lingerUntil = System.nanoTime() + (notifyPeer ? LINGER_NANOS : 0);
        out.drop();
        in.drop();
        transport.closed(this);
    }

    void notifyClosed() {
        if (handler != null) {
            handler.onClosed(reason);
        }
    }

    /**
     * Removes the endpoint of a closed channel.
     *
     * @return whether the endpoint is gone, and UCX has finished with the memory
     */
    boolean removeEndpoint(long now) {
        if (endpoint == null) {
            return true;
        }
        out.reclaim();
        if (forced == null && (failure != null || peerHasClosed || now - lingerUntil >= 0)) {
            try {
                forced = endpoint.closeNonBlockingForce();
            } catch (UcxException refused) {
                return out.isDone();
            }
        }
        return forced != null && forced.isCompleted() && out.isDone();
    }

    void stopLingering() {
        lingerUntil = System.nanoTime();
    }

    private enum State {
        OPENING,
        OPEN,
        CLOSED
    }
}
