package io.updraft.transport.session;

import io.updraft.transport.Address;
import io.updraft.transport.security.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one session that this side opened: opens a new channel whenever the channel is lost, until the session is closed.
 */
final class Connector implements Party {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private final Messenger messenger;
    private final Address to;
    private final int worker;
    private final BackOff backOff;
    private final PeerSession session;
    /** The channel that is open or opening; null during a pause. */
    private Link link;

    private long retryAt;
    private long incarnation = Long.MIN_VALUE;
    /** Whether the loss has been logged; further failed attempts to reach the peer are not logged. */
    private boolean told;

    Connector(Messenger messenger, Address to, int worker, SessionHandler handler, BackOff backOff) {
        this.messenger = messenger;
        this.to = to;
        this.worker = worker;
        this.backOff = backOff;
        session = new PeerSession(messenger, this, handler);
    }

    PeerSession session() {
        return session;
    }

    void open() {
        link = messenger.link(this, Role.CONNECTOR);
        messenger.transport().connect(to, link);
    }

    /**
     * Opens a new channel when the pause has ended.
     *
     * @return when to check again at the latest
     */
    long tick(long now) {
        if (link != null || session.isClosed()) {
            return Long.MAX_VALUE;
        }
        if (now < retryAt) {
            return retryAt;
        }
        open();
        return Long.MAX_VALUE;
    }

    @Override
    public PeerSession expect(Peer claimed) throws ProtocolException {
        if (claimed.worker() != worker) {
            throw ProtocolException.refused(
                    "expected worker " + worker + " at " + to + ", but worker " + claimed.worker() + " answered");
        }
        if (claimed.incarnation() < incarnation) {
            throw ProtocolException.refused("worker " + worker + " at " + to + " has incarnation "
                    + claimed.incarnation() + ", older than the previous incarnation " + incarnation);
        }
        return session;
    }

    @Override
    public PeerSession admit(Peer peer, long channel) {
        incarnation = peer.incarnation();
        told = false;
        return session;
    }

    @Override
    public void ended(String reason, boolean refused, long openNanos) {
        link = null;
        if (session.isClosed()) {
            return;
        }
        retryAt = messenger.now() + pause(refused, openNanos);
        messenger.lookAt(retryAt);
        if (!told) {
            LOG.info("{}; reconnecting until the peer answers", reason);
            told = true;
        }
        if (refused && openNanos < 0) {
            session.refused(reason);
        }
    }

    @Override
    public void closed(PeerSession closed) {
        messenger.forget(this);
        if (link != null && !closed.isOpen()) {
            link.leave(Ending.GOODBYE, "this side closed the session");
        }
    }

    @Override
    public String toString() {
        return "worker " + worker + " at " + to;
    }

    private long pause(boolean refused, long openNanos) {
        if (refused) {
            backOff.exhaust();
        } else if (openNanos >= messenger.options().longestBackOffNanos()) {
            backOff.reset();
        }
        return backOff.next();
    }
}
