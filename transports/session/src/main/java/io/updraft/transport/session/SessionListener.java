package io.updraft.transport.session;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The sessions that peers opened to one binding. For each worker, only the newest channel of the newest incarnation is used.
 */
final class SessionListener implements ChannelUser {

    private static final Logger LOG = LoggerFactory.getLogger(SessionListener.class);

    /** Unauthenticated peers must not be able to fill the disk with log lines. */
    private static final long LOG_PAUSE_NANOS = 1_000_000_000;

    private record Entry(long incarnation, long channel, PeerSession session) {

        boolean isNewerThan(PeerIdentity peer, long other) {
            return incarnation > peer.incarnation() || incarnation == peer.incarnation() && channel > other;
        }
    }

    private final Messenger messenger;
    private final Function<PeerIdentity, SessionHandler> accept;
    private final Map<Integer, Entry> newest = new HashMap<>();
    private long quietUntil;
    private long unlogged;

    SessionListener(Messenger messenger, Function<PeerIdentity, SessionHandler> accept) {
        this.messenger = messenger;
        this.accept = accept;
    }

    @Override
    public PeerSession expect(PeerIdentity claimed) {
        return null; // the proved identity decides, and an unauthenticated peer gets no information
    }

    @Override
    public PeerSession admit(PeerIdentity peer, long channel) throws SessionProtocolException {
        Entry entry = newest.get(peer.worker());
        if (entry != null && entry.isNewerThan(peer, channel)) {
            throw SessionProtocolException.refused(
                    "worker " + peer.worker() + " of incarnation " + peer.incarnation() + ", channel "
                            + channel + ", is older than the current one, incarnation " + entry.incarnation()
                            + ", channel " + entry.channel());
        }
        SessionHandler handler = handler(peer);
        PeerSession session = sessionFor(entry, handler);
        newest.put(peer.worker(), new Entry(peer.incarnation(), channel, session));
        return session;
    }

    private SessionHandler handler(PeerIdentity peer) throws SessionProtocolException {
        SessionHandler handler;
        try {
            handler = accept.apply(peer);
        } catch (NotReadyException e) {
            throw SessionProtocolException.notReady(e.getMessage());
        }
        if (handler == null) {
            throw SessionProtocolException.refused("worker " + peer.worker() + " is not expected at this listener");
        }
        return handler;
    }

    @Override
    public void ended(String reason, boolean refused, long openNanos) {
        if (openNanos >= 0) {
            return; // the handler is notified
        }
        if (messenger.now() < quietUntil) {
            unlogged++;
            return;
        }
        // A port scan is harmless; a peer that was refused deserves a warning.
        LOG.atLevel(refused ? Level.WARN : Level.INFO)
                .log("connection refused: {}{}", reason, unlogged == 0 ? "" : "; and " + unlogged + " earlier ones");
        unlogged = 0;
        quietUntil = messenger.now() + LOG_PAUSE_NANOS;
    }

    @Override
    public void closed(PeerSession session) {
        // Nothing to do: if the worker comes back, a new session begins.
    }

    private PeerSession sessionFor(Entry entry, SessionHandler handler) {
        if (entry != null) {
            entry.session().endReplacedChannel();
            if (!entry.session().isClosed() && entry.session().isFor(handler)) {
                return entry.session();
            }
        }
        return new PeerSession(messenger, this, handler);
    }
}
