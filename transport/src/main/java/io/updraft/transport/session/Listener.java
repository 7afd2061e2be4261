package io.updraft.transport.session;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The sessions that peers opened to one binding. Of each worker the newest channel of the newest incarnation counts. */
final class Listener implements Party {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    /** Strangers must not be able to fill a disk with lines about them. */
    private static final long LOG_PAUSE_NANOS = 1_000_000_000;

    private record Entry(long incarnation, long channel, PeerSession session) {

        boolean isNewerThan(Peer peer, long other) {
            return incarnation > peer.incarnation() || incarnation == peer.incarnation() && channel > other;
        }
    }

    private final Messenger messenger;
    private final Function<Peer, SessionHandler> accept;
    private final Map<Integer, Entry> newest = new HashMap<>();
    private long quietUntil;
    private long unlogged;

    Listener(Messenger messenger, Function<Peer, SessionHandler> accept) {
        this.messenger = messenger;
        this.accept = accept;
    }

    @Override
    public PeerSession expect(Peer claimed) {
        return null; // who it really is decides, and strangers are told nothing
    }

    @Override
    public PeerSession admit(Peer peer, long channel) throws ProtocolException {
        Entry entry = newest.get(peer.worker());
        if (entry != null && entry.isNewerThan(peer, channel)) {
            throw ProtocolException.refused(
                    "worker " + peer.worker() + " of incarnation " + peer.incarnation() + ", channel "
                            + channel + ", comes after a newer one of incarnation " + entry.incarnation() + ", channel "
                            + entry.channel());
        }
        SessionHandler handler = accept.apply(peer);
        if (handler == null) {
            throw ProtocolException.refused("worker " + peer.worker() + " is not expected here");
        }
        PeerSession session = sessionFor(entry, handler);
        newest.put(peer.worker(), new Entry(peer.incarnation(), channel, session));
        return session;
    }

    @Override
    public void ended(String reason, boolean refused, long openNanos) {
        if (openNanos >= 0) {
            return; // the handler hears of it
        }
        if (messenger.now() < quietUntil) {
            unlogged++;
            return;
        }
        // Whoever only looks whether the port is open is no reason to worry; whoever wants in and must not is.
        LOG.atLevel(refused ? Level.WARN : Level.INFO)
                .log("did not let in {}{}", reason, unlogged == 0 ? "" : "; nor " + unlogged + " others before it");
        unlogged = 0;
        quietUntil = messenger.now() + LOG_PAUSE_NANOS;
    }

    @Override
    public void closed(PeerSession session) {
        // Nothing to do: the worker may come back, and then a new session begins.
    }

    private PeerSession sessionFor(Entry entry, SessionHandler handler) {
        if (entry != null) {
            entry.session().makeWay();
            if (!entry.session().isClosed() && entry.session().isFor(handler)) {
                return entry.session();
            }
        }
        return new PeerSession(messenger, this, handler);
    }
}
