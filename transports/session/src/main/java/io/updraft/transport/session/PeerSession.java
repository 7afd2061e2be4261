package io.updraft.transport.session;

import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session. {@link SessionChannel} has the state of one channel. The count of unreleased bytes is kept here, because it outlives
 * channels.
 */
final class PeerSession implements Session {

    private static final Logger LOG = LoggerFactory.getLogger(PeerSession.class);

    private final Messenger messenger;
    private final ChannelUser user;
    private final SessionHandler handler;
    /** The open channel, or null. */
    private SessionChannel link;

    private PeerIdentity peer;
    private long held;
    private boolean closed;
    /** The reason of the last refusal that the handler has received. */
    private String lastRefusal = "";

    PeerSession(Messenger messenger, ChannelUser user, SessionHandler handler) {
        this.messenger = messenger;
        this.user = user;
        this.handler = handler;
    }

    @Override
    public PeerIdentity peer() {
        return peer;
    }

    @Override
    public boolean isOpen() {
        return link != null;
    }

    @Override
    public boolean offer(ByteBuffer frame) {
        return link != null && link.offer(frame);
    }

    @Override
    public void flush() {
        if (link != null) {
            link.flush();
        }
    }

    @Override
    public void release(int bytes) {
        if (bytes < 0 || bytes > held) {
            throw new IllegalArgumentException(
                    "cannot release " + bytes + " bytes: the session holds only " + held + " unreleased bytes");
        }
        held -= bytes;
        if (link != null) {
            link.grantIfDue();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        user.closed(this);
        if (link != null) {
            link.leave(ChannelEnding.GOODBYE, "this side closed the session");
        }
    }

    @Override
    public String toString() {
        return "session with " + (peer == null ? "a peer that has never connected" : "worker " + peer.worker());
    }

    boolean isClosed() {
        return closed;
    }

    boolean isFor(SessionHandler other) {
        return handler == other;
    }

    long held() {
        return held;
    }

    /** Ends the channel, because a newer channel of the same peer replaces it. */
    void endReplacedChannel() {
        if (link != null) {
            link.leave(ChannelEnding.GOODBYE, "a newer channel of the same worker replaced this one");
        }
    }

    void opened(SessionChannel newLink, PeerIdentity newPeer) {
        link = newLink;
        peer = newPeer;
        lastRefusal = "";
        handler.onOpen(this);
    }

    /**
     * Passes a frame to the handler. If the handler throws, the frame counts as released, because no caller will release it.
     */
    void deliver(ByteBuffer frame) {
        long before = held;
        held += frame.remaining();
        boolean handled = false;
        try {
            handler.onFrame(this, frame);
            handled = true;
        } finally {
            held = handled ? held : Math.min(held, before);
        }
    }

    void writable() {
        handler.onWritable(this);
    }

    void lost(SessionLoss loss) {
        link = null;
        if (closed) {
            // The user may close the session outside doWork, but handlers are called only from within doWork.
            messenger.later(() -> notifyLost(loss));
        } else {
            notifyLost(loss);
        }
    }

    /** Reports a refusal before any channel was open. Attempts continue, so only a new reason is reported. */
    void refused(String reason) {
        if (!reason.equals(lastRefusal)) {
            lastRefusal = reason;
            notifyLost(new SessionLoss(reason, 0, 0, true));
        }
    }

    /** Calls the handler. An exception of the handler is only logged, because there is no channel left to close. */
    private void notifyLost(SessionLoss loss) {
        try {
            handler.onLost(this, loss);
        } catch (RuntimeException e) {
            LOG.error("the handler of the {} threw an exception in onLost; the loss was: {}", this, loss.reason(), e);
        }
    }
}
