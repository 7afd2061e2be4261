package io.updraft.transport.session;

import io.updraft.transport.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one session that this side opened: opens a new channel whenever the channel is lost, until the session is closed.
 */
final class SessionConnector implements ChannelUser {

    private static final Logger LOG = LoggerFactory.getLogger(SessionConnector.class);

    private final Messenger messenger;
    private final Address to;
    private final int worker;
    private final ReconnectBackOff backOff;
    final PeerSession session;
    /** The channel that is open or opening; null during a pause. */
    private SessionChannel link;

    private long retryAt;
    private long incarnation = Long.MIN_VALUE;
    /** Whether the loss has been logged; further failed attempts to reach the peer are not logged. */
    private boolean lossLogged;

    SessionConnector(Messenger messenger, Address to, int worker, SessionHandler handler, ReconnectBackOff backOff) {
        this.messenger = messenger;
        this.to = to;
        this.worker = worker;
        this.backOff = backOff;
        session = new PeerSession(messenger, this, handler);
    }

    void open() {
        link = messenger.link(this, Role.CONNECTOR);
        messenger.transport.connect(to, link);
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
    public PeerSession expect(PeerIdentity claimed) throws SessionProtocolException {
        if (claimed.worker() != worker) {
            throw SessionProtocolException.refused(
                    "expected worker " + worker + " at " + to + ", but worker " + claimed.worker() + " answered");
        }
        if (claimed.incarnation() < incarnation) {
            throw SessionProtocolException.refused("worker " + worker + " at " + to + " has incarnation "
                    + claimed.incarnation() + ", older than the previous incarnation " + incarnation);
        }
        return session;
    }

    @Override
    public PeerSession admit(PeerIdentity peer, long channel) {
        incarnation = peer.incarnation();
        lossLogged = false;
        return session;
    }

    @Override
    public void ended(String reason, boolean refused, long openNanos) {
        link = null;
        if (session.isClosed()) {
            return;
        }
        retryAt = messenger.now() + pause(refused, openNanos);
        messenger.checkAt(retryAt);
        if (!lossLogged) {
            LOG.info("{}; reconnecting until the peer answers", reason);
            lossLogged = true;
        }
        if (refused && openNanos < 0) {
            session.refused(reason);
        }
    }

    @Override
    public void closed(PeerSession closed) {
        messenger.forget(this);
        if (link != null && !closed.isOpen()) {
            link.leave(ChannelEnding.GOODBYE, "this side closed the session");
        }
    }

    @Override
    public String toString() {
        return "worker " + worker + " at " + to;
    }

    private long pause(boolean refused, long openNanos) {
        if (refused) {
            backOff.exhaust();
        } else if (openNanos >= messenger.options.longestBackOffNanos()) {
            backOff.reset();
        }
        return backOff.next();
    }
}
