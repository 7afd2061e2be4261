package io.updraft.transport.session;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.security.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The sessions of one worker, over one transport. Belongs to the owner of the transport: every method but {@link #wakeUp} is
 * called by it, and so is every handler, from within {@link #doWork}.
 *
 * <p>Channels of peers that have not proved who they are yet, or that are refused and not gone yet, are limited in number and
 * time. For one more the oldest of them is closed: who floods a worker with connections takes them from himself, since a peer
 * that knows the secret is done long before its channel is the oldest.
 *
 * <p>A session that this side opened tries to reconnect for as long as it is not closed, after pauses that are random between
 * the shortest and a limit that doubles up to the longest; a channel that was open for as long as the longest pause starts them anew. When a
 * peer refuses, or is refused, the handler hears {@link SessionHandler#onLost} even if nothing was open, once for each
 * reason.
 */
public final class Messenger implements AutoCloseable {

    /** Time is looked at in steps of this part of the shortest of all limits, so that many sessions cost little. */
    private static final int STEPS = 8;

    private final Transport transport;
    private final MessengerOptions options;
    private final LongSupplier clock;
    private final long started;
    private final SecureRandom nonces = new SecureRandom();
    private final SplittableRandom jitter;
    private final Set<Link> links = new LinkedHashSet<>();
    /** Those of peers that have not proved who they are, oldest first. */
    private final Set<Link> strangers = new LinkedHashSet<>();

    private final Set<Connector> connectors = new LinkedHashSet<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final long step;
    private long now;
    private long listened;
    private long lookAt = Long.MAX_VALUE;
    private long channels;

    /**
     * Creates a messenger that goes by the system's time.
     *
     * @param transport carries the messages; closed with this
     * @param options how sessions behave
     */
    public Messenger(Transport transport, MessengerOptions options) {
        this(transport, options, System::nanoTime);
    }

    /**
     * Creates a messenger.
     *
     * @param transport carries the messages; closed with this
     * @param options how sessions behave
     * @param clock nanoseconds since any moment, never going back; lets tests decide how time passes
     */
    public Messenger(Transport transport, MessengerOptions options, LongSupplier clock) {
        this.transport = transport;
        this.options = options;
        this.clock = clock;
        started = clock.getAsLong();
        jitter = new SplittableRandom(options.seed());
        step = Math.max(1, shortest(options) / STEPS);
    }

    /**
     * Listens for peers.
     *
     * @param at where; with port 0 the system chooses
     * @param accept gives the handler of a peer that has proved who it is, or null to refuse it. Called for each channel: if
     *     it gives the handler that the same worker had before, the session goes on, with what it holds unreleased;
     *     otherwise a new one begins. So it is, too, when a peer comes back whose session was closed here. A channel of an older incarnation than the last one is refused, a newer one ends the
     *     one before
     * @return the binding, listening already; sessions outlive it
     * @throws TransportException when the address cannot be had, or others than this host could connect and neither a secret
     *     nor certificates of both ends protect the topology
     */
    public Binding listen(Address at, Function<Peer, SessionHandler> accept) throws TransportException {
        if (!isProtected() && !isLoopback(at.host())) {
            throw new TransportException("will not listen at " + at
                    + " without a secret or TLS at both ends, since other hosts could connect:"
                    + " give the topology a secret, listen at 127.0.0.1, or allow unauthenticated peers");
        }
        Listener listener = new Listener(this, accept);
        return transport.bind(at, () -> stranger(listener));
    }

    private boolean isProtected() {
        return options.credentials().secret().isPresent()
                || transport.isMutuallyAuthenticated()
                || options.allowUnauthenticated();
    }

    private Link stranger(Listener listener) {
        if (strangers.size() >= options.maxStrangers()) {
            strangers.iterator().next().evict();
        }
        Link link = link(listener, Role.LISTENER);
        strangers.add(link);
        return link;
    }

    /**
     * Opens a session, and opens it again whenever it is lost, until it is closed.
     *
     * @param to where the peer listens
     * @param worker who must answer there; a worker must not open two sessions to the same other one
     * @param handler hears of the session
     * @return the session, not open yet
     */
    public Session connect(Address to, int worker, SessionHandler handler) {
        BackOff backOff = new BackOff(options.firstBackOffNanos(), options.longestBackOffNanos(), jitter.split());
        Connector connector = new Connector(this, to, worker, handler, backOff);
        connectors.add(connector);
        connector.open();
        return connector.session();
    }

    /**
     * Does what there is to do and returns without waiting.
     *
     * @return how much was done; 0 if there was nothing to do
     */
    public int doWork() {
        advance();
        int done = transport.poll();
        if (now >= lookAt) {
            done += tick();
        }
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
            done++;
        }
        return done;
    }

    /**
     * Waits until there may be something to do, {@link #wakeUp} is called or the time is over. Not from within a handler.
     *
     * @param nanos how long at the most, nanoseconds
     */
    public void await(long nanos) {
        long due = lookAt == Long.MAX_VALUE ? nanos : Math.min(nanos, lookAt - (clock.getAsLong() - started));
        if (due > 0 && later.isEmpty()) {
            transport.await(due);
        }
    }

    /** Makes {@link #await}, the one that is on or else the next, return. From any thread; cheap. */
    public void wakeUp() {
        transport.wakeUp();
    }

    /** Closes all sessions and the transport. No handler hears of anything any more. Not from within a handler. Idempotent. */
    @Override
    public void close() {
        connectors.clear();
        links.clear();
        strangers.clear();
        later.clear();
        transport.close();
    }

    Transport transport() {
        return transport;
    }

    MessengerOptions options() {
        return options;
    }

    /** Nanoseconds since this began, as of the last doWork. */
    long now() {
        return now;
    }

    /**
     * The part of {@link #now} in which this side listened: when it was itself held up for longer than a heartbeat, peers may
     * have spoken all that time, and it would be wrong to say that they were silent.
     */
    long listened() {
        return listened;
    }

    Link link(Party party, Role role) {
        byte[] nonce = new byte[Hello.NONCE_BYTES];
        nonces.nextBytes(nonce);
        long channel = role == Role.CONNECTOR ? ++channels : 0;
        Handshake handshake = new Handshake(role, options.self(), options.credentials(), nonce, channel);
        Link link = new Link(this, party, role, handshake);
        links.add(link);
        lookAt(now + options.heartbeatNanos());
        return link;
    }

    /** There will be something to do then. */
    void lookAt(long when) {
        lookAt = Math.min(lookAt, when);
    }

    void later(Runnable call) {
        later.add(call);
    }

    void forget(Link link) {
        links.remove(link);
        strangers.remove(link);
    }

    /** Its peer has proved who it is. */
    void know(Link link) {
        strangers.remove(link);
    }

    void forget(Connector connector) {
        connectors.remove(connector);
    }

    private static long shortest(MessengerOptions options) {
        return Math.min(options.handshakeNanos(), Math.min(options.heartbeatNanos(), options.firstBackOffNanos()));
    }

    private void advance() {
        long next = clock.getAsLong() - started;
        listened += Math.min(next - now, options.heartbeatNanos());
        now = next;
    }

    private int tick() {
        boolean idle = links.isEmpty() && connectors.isEmpty();
        lookAt = idle ? Long.MAX_VALUE : now + options.heartbeatNanos();
        long earliest = Long.MAX_VALUE;
        for (Link link : links.toArray(Link[]::new)) {
            earliest = Math.min(earliest, link.tick(now));
        }
        for (Connector connector : connectors.toArray(Connector[]::new)) {
            earliest = Math.min(earliest, connector.tick(now));
        }
        lookAt = idle ? lookAt : Math.max(Math.min(lookAt, earliest), now + step);
        return 1;
    }

    private static boolean isLoopback(String host) throws TransportException {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            throw new TransportException("there is no host '" + host + "' to listen at: check its name", e);
        }
    }
}
