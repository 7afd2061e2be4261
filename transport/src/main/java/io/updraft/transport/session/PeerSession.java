package io.updraft.transport.session;

import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session. What belongs to one channel of it is in {@link Link}; what it holds unreleased outlives channels. */
final class PeerSession implements Session {

    private static final Logger LOG = LoggerFactory.getLogger(PeerSession.class);

    private final Messenger messenger;
    private final Party party;
    private final SessionHandler handler;
    /** The open channel, or null. */
    private Link link;

    private Peer peer;
    private long held;
    private boolean closed;
    /** What a refusal said that the handler has heard already. */
    private String lastRefusal = "";

    PeerSession(Messenger messenger, Party party, SessionHandler handler) {
        this.messenger = messenger;
        this.party = party;
        this.handler = handler;
    }

    @Override
    public Peer peer() {
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
                    "release of " + bytes + " bytes: the session holds " + held + " that were not released");
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
        party.closed(this);
        if (link != null) {
            link.leave(Ending.GOODBYE, "this side closed the session");
        }
    }

    @Override
    public String toString() {
        return "session with " + (peer == null ? "a peer that was never reached" : "worker " + peer.worker());
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

    /** A newer channel of the same peer takes over. */
    void makeWay() {
        if (link != null) {
            link.leave(Ending.GOODBYE, "a newer channel of the same worker took its place");
        }
    }

    void opened(Link newLink, Peer newPeer) {
        link = newLink;
        peer = newPeer;
        lastRefusal = "";
        handler.onOpen(this);
    }

    /** Gives the handler a frame. If that fails nobody will release it, so it is as if it had been. */
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

    void lost(Loss loss) {
        link = null;
        if (closed) {
            // The user may have closed it from anywhere, but handlers are called from within doWork only.
            messenger.later(() -> tell(loss));
        } else {
            tell(loss);
        }
    }

    /** Nothing was open yet, and will not be. Attempts go on, so only what is new is told. */
    void refused(String reason) {
        if (!reason.equals(lastRefusal)) {
            lastRefusal = reason;
            tell(new Loss(reason, 0, 0, true));
        }
    }

    /** There is no channel any more that could be closed because of a handler that fails, so that is only written down. */
    private void tell(Loss loss) {
        try {
            handler.onLost(this, loss);
        } catch (RuntimeException e) {
            LOG.error("the handler of the {} failed when told of its loss: {}", this, loss.reason(), e);
        }
    }
}
