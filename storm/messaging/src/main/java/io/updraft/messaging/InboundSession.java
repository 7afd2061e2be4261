package io.updraft.messaging;

import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one worker that has connected. Owner of the transport only.
 *
 * <p>While the session takes nothing, it keeps the newest loads and the newest back-pressure, one of each. Both are sent as a
 * whole, so older ones are obsolete.
 */
final class InboundSession implements SessionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(InboundSession.class);

    private final InboundConnection inbound;
    private final String name;
    private Session session;
    private ByteBuffer loads;
    private ByteBuffer pressure;

    InboundSession(InboundConnection inbound, PeerIdentity peer) {
        this.inbound = inbound;
        this.name = "worker " + Integer.toHexString(peer.worker()) + " started at " + peer.incarnation();
    }

    @Override
    public void onOpen(Session opened) {
        session = opened;
        LOG.info("{} has connected", name);
        inbound.opened(this);
    }

    @Override
    public void onFrame(Session from, ByteBuffer frame) {
        int length = frame.remaining();
        byte kind = frame.get();
        if (kind != MessageFrames.TUPLES) {
            throw new IllegalArgumentException(name + " sent a frame of kind " + kind + " instead of tuples");
        }
        inbound.deliver(MessageFrames.tuples(frame), name);
        from.release(length);
    }

    @Override
    public void onWritable(Session writable) {
        flush();
    }

    @Override
    public void onLost(Session lost, SessionLoss loss) {
        LOG.info("{} is no longer connected: {}", name, loss.reason());
        inbound.removeSession(this);
    }

    /** Sends loads or back-pressure, now or as soon as there is room. */
    void send(ByteBuffer frame) {
        if (frame.get(frame.position()) == MessageFrames.LOADS) {
            loads = frame;
        } else {
            pressure = frame;
        }
        flush();
    }

    void close() {
        session.close();
    }

    private void flush() {
        if (pressure != null && session.offer(pressure)) {
            pressure = null;
        }
        if (loads != null && session.offer(loads)) {
            loads = null;
        }
        session.flush();
    }
}
