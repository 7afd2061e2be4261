package io.updraft.transport.zeromq;

import io.updraft.base.text.OneLine;
import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a channel: its state and its window. Owner only.
 *
 * <p>JeroMQ does not report which frames it has written to the network. So the bytes of an accepted message count as unsent
 * until the peer has processed them, and {@link #offer} refuses bytes beyond the smaller of both sides' windows. A message
 * longer than the window passes when no other message is under way. That bounds the memory of both sides.
 */
final class ZeroMqChannel implements Channel {

    private static final Logger LOG = LoggerFactory.getLogger(ZeroMqChannel.class);

    /** Credit is given back at the latest when the window divided by this number is used up. */
    private static final int PARTS_OF_WINDOW = 4;

    private enum State {
        OPENING,
        OPEN,
        CLOSED
    }

    private final ZeroMqTransport transport;
    private final ZeroMqSettings settings;
    private final Line line;
    private final ChannelHandler handler;
    private final String peer;

    private State state = State.OPENING;
    private int window;
    private long underWay;
    private long refused;
    private int owed;

    /** Connects one channel to its socket. */
    interface Line {

        /** Sends a frame; returns false when there is no connection to send it on. */
        boolean send(byte[] frame);

        /** Releases the channel's part of the socket; {@code linger} is whether frames sent before may still leave. */
        void release(boolean linger);
    }

    ZeroMqChannel(ZeroMqTransport transport, Line line, ChannelHandler handler, String peer) {
        this.transport = transport;
        this.line = line;
        this.handler = handler;
        this.peer = peer;
        settings = transport.settings;
    }

    boolean isOpening() {
        return state == State.OPENING;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    @Override
    public int maxMessage() {
        return settings.maxMessage();
    }

    @Override
    public boolean offer(ByteBuffer head, ByteBuffer body) {
        int size = Channel.checkedLength(this, head, body);
        if (state != State.OPEN) {
            return false;
        }
        long cost = (long) size + ZeroMqSettings.OVERHEAD;
        if (!hasCapacity(cost)) {
            refused = cost;
            return false;
        }
        underWay += cost;
        send(ZeroMqProtocol.data(owed, size, head, body));
        return true;
    }

    private void send(byte[] data) {
        if (line.send(data)) {
            owed = 0;
        } else {
            // The message still counts as taken: when a channel closes, a prefix of the messages has arrived, and this
            // message is not part of it.
            endLater("the connection to " + peer + " is lost", false);
        }
    }

    private boolean hasCapacity(long cost) {
        return underWay == 0 || underWay + cost <= window;
    }

    /** Does nothing: JeroMQ's I/O thread is notified with each message. */
    @Override
    public void flush() {}

    @Override
    public long unsent() {
        return state == State.OPEN ? underWay : 0;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        if (state != State.CLOSED) {
            line.send(ZeroMqProtocol.close("closed by the peer"));
            endLater("closed by this side", true);
        }
    }

    void received(byte[] frame) {
        if (state == State.CLOSED) {
            return;
        }
        switch (ZeroMqProtocol.kind(frame)) {
            case ZeroMqProtocol.DATA -> data(frame);
            case ZeroMqProtocol.CREDIT -> credited(ZeroMqProtocol.credit(frame));
            case ZeroMqProtocol.OPEN, ZeroMqProtocol.OPENED -> greeted(frame);
            case ZeroMqProtocol.CLOSE -> end(peer + " closed the channel: " + ZeroMqProtocol.reason(frame));
            case ZeroMqProtocol.LOST -> end("the connection to " + peer + " is lost");
            default -> refuse("the message from " + peer + " is not valid in this protocol");
        }
    }

    private void greeted(byte[] greeting) {
        int offered = ZeroMqProtocol.window(greeting);
        if (state != State.OPENING || offered == 0) {
            refuse(peer + " does not speak this version of the protocol");
            return;
        }
        open(offered);
    }

    /** Opens the channel, with the window that the peer offers in bytes. */
    void open(int offered) {
        window = Math.min(offered, settings.window());
        state = State.OPEN;
        guarded(() -> handler.onOpen(this));
    }

    private void data(byte[] frame) {
        int size = frame.length - ZeroMqProtocol.HEADER;
        if (state != State.OPEN || size == 0) {
            refuse("the message from " + peer + " is not valid in this protocol");
        } else if (size > settings.maxMessage()) {
            refuse("received a message of " + size + " bytes from " + peer + ": the limit is " + settings.maxMessage());
        } else {
            credited(ZeroMqProtocol.credit(frame));
            if (state == State.OPEN) {
                guarded(() -> handler.onMessage(ByteBuffer.wrap(frame, ZeroMqProtocol.HEADER, size)));
                owe(size + ZeroMqSettings.OVERHEAD);
            }
        }
    }

    private void owe(int bytes) {
        if (owed == 0) {
            transport.owesCredit(this);
        }
        owed += bytes;
        if (owed >= window / PARTS_OF_WINDOW) {
            settle();
        }
    }

    void settle() {
        if (state == State.OPEN && owed > 0) {
            line.send(ZeroMqProtocol.credit(owed));
            owed = 0;
        }
    }

    private void credited(int bytes) {
        underWay = Math.max(0, underWay - Math.max(0, bytes));
        if (refused > 0 && hasCapacity(refused)) {
            refused = 0;
            guarded(handler::onWritable);
        }
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            LOG.warn("zeromq: the handler of the channel to {} threw an exception; closing the channel", peer, thrown);
            refuse("a handler threw " + thrown);
        }
    }

    /** Closes the channel because of an error, and sends the reason to the peer. */
    void refuse(String reason) {
        if (state != State.CLOSED) {
            String oneLine = OneLine.of(reason);
            line.send(ZeroMqProtocol.close(oneLine));
            endLater(oneLine, true);
        }
    }

    void failLater(String reason) {
        endLater(reason, false);
    }

    private void endLater(String reason, boolean linger) {
        state = State.CLOSED;
        line.release(linger);
        transport.later(() -> handler.onClosed(reason));
    }

    /**
     * Ends the channel without a message to the peer. The peer has closed the channel itself, or there is none. Called from
     * within poll.
     */
    void end(String reason) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            line.release(false);
            handler.onClosed(reason);
        }
    }

    /** Ends the channel without a call to the handler, because the transport closes. */
    void abandon() {
        if (state != State.CLOSED) {
            line.send(ZeroMqProtocol.close("the peer is shutting down"));
            boolean linger = state == State.OPEN;
            state = State.CLOSED;
            line.release(linger);
        }
    }
}
