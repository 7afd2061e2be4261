package io.updraft.transport.session;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The sessions of one worker over one transport. Belongs to the owner of the transport: the owner calls every method except
 * {@link #wakeUp}, and every handler runs on the owner from within {@link #doWork}.
 *
 * <p>The number and the age of channels whose peers have not authenticated yet, or have been refused and not closed yet, are
 * limited. When one more is opened, the oldest is closed. A flood of connections thus displaces its own channels: a peer that
 * has the secret authenticates long before its channel is the oldest.
 *
 * <p>A session that this side opened reconnects until it is closed. Pauses are random between the shortest pause and a limit
 * that doubles up to the longest pause. After a channel that was open for at least the longest pause, the limit starts from the
 * beginning. When one side refuses the other, the messenger calls {@link SessionHandler#onLost} even if no channel was open,
 * once for each reason.
 */
public final class Messenger implements AutoCloseable {

    /** Timeouts are checked in steps of the shortest limit divided by this number, so that many sessions cost little. */
    private static final int STEPS = 8;

    final Transport transport;
    final MessengerOptions options;
    private final LongSupplier clock;
    private final long started;
    private final SecureRandom nonces = new SecureRandom();
    private final SplittableRandom jitter;
    private final Set<SessionChannel> links = new LinkedHashSet<>();
    /** Channels whose peers have not authenticated yet, oldest first. */
    private final Set<SessionChannel> unauthenticated = new LinkedHashSet<>();

    private final Set<SessionConnector> connectors = new LinkedHashSet<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final long step;
    private long now;
    private long listened;
    private long checkAt = Long.MAX_VALUE;
    private long channels;

    /**
     * Creates a messenger that uses the system clock.
     *
     * @param transport carries the messages; {@link #close} closes it
     * @param options the options of the sessions
     */
    public Messenger(Transport transport, MessengerOptions options) {
        this(transport, options, System::nanoTime);
    }

    /** Creates a messenger; {@code clock} never decreases, and lets tests control the time. */
    Messenger(Transport transport, MessengerOptions options, LongSupplier clock) {
        this.transport = transport;
        this.options = options;
        this.clock = clock;
        started = clock.getAsLong();
        jitter = new SplittableRandom(options.seed());
        long shortest =
                Math.min(options.handshakeNanos(), Math.min(options.heartbeatNanos(), options.firstBackOffNanos()));
        step = Math.max(1, shortest / STEPS);
    }

    /**
     * Listens for peers.
     *
     * @param at the address; for port 0 the system chooses a port
     * @param accept returns the handler of a peer that has authenticated, or null to refuse the peer. Called for each channel. Throws
     *     {@link NotReadyException} if the peer must connect again later.
     *     If it returns the handler that the same worker had before, the session continues, together with the frames it holds
     *     unreleased; otherwise a new session begins. A new session also begins when a peer returns whose session was closed
     *     here. A channel of an older incarnation than the last one is refused; a newer channel ends the previous one
     * @return the binding, already listening; sessions outlive it
     * @throws TransportException when the address cannot be bound, or other hosts could connect and neither a secret nor
     *     certificates of both ends protect the topology
     */
    public Binding listen(Address at, Function<PeerIdentity, SessionHandler> accept) throws TransportException {
        if (!isProtected() && !isLoopback(at.host())) {
            throw new TransportException("refusing to listen on " + at
                    + " without a secret or mutual TLS, because other hosts could connect:"
                    + " give the topology a secret, listen on 127.0.0.1, or allow unauthenticated peers");
        }
        SessionListener listener = new SessionListener(this, accept);
        return transport.bind(at, () -> newUnauthenticated(listener));
    }

    private boolean isProtected() {
        return options.credentials().secret().isPresent()
                || transport.isMutuallyAuthenticated()
                || options.allowUnauthenticated();
    }

    private SessionChannel newUnauthenticated(SessionListener listener) {
        if (unauthenticated.size() >= options.maxUnauthenticated()) {
            unauthenticated.iterator().next().evict();
        }
        SessionChannel link = link(listener, Role.LISTENER);
        unauthenticated.add(link);
        return link;
    }

    /**
     * Opens a session, and reopens it whenever its channel is lost, until the session is closed.
     *
     * @param to the address on which the peer listens
     * @param worker the worker that must answer at the address; a worker must not open two sessions to the same other worker
     * @param handler receives the events of the session
     * @return the session, not open yet
     */
    public Session connect(Address to, int worker, SessionHandler handler) {
        ReconnectBackOff backOff =
                new ReconnectBackOff(options.firstBackOffNanos(), options.longestBackOffNanos(), jitter.split());
        SessionConnector connector = new SessionConnector(this, to, worker, handler, backOff);
        connectors.add(connector);
        connector.open();
        return connector.session;
    }

    /**
     * Does all pending work and returns without waiting.
     *
     * @return the amount of work done; 0 if there was none
     */
    public int doWork() {
        advance();
        int done = transport.poll();
        if (now >= checkAt) {
            done += tick();
        }
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
            done++;
        }
        return done;
    }

    /**
     * Waits until there may be work, {@link #wakeUp} is called or the time has passed. Must not be called from within a
     * handler.
     *
     * @param nanos the longest time to wait, nanoseconds
     */
    public void await(long nanos) {
        long due = checkAt == Long.MAX_VALUE ? nanos : Math.min(nanos, checkAt - (clock.getAsLong() - started));
        if (due > 0 && later.isEmpty()) {
            transport.await(due);
        }
    }

    /** Makes the current call of {@link #await} return, or else the next one. May be called from any thread. Cheap. */
    public void wakeUp() {
        transport.wakeUp();
    }

    /**
     * Closes all sessions and the transport. No handler is called afterwards. Must not be called from within a handler.
     * Idempotent.
     */
    @Override
    public void close() {
        connectors.clear();
        links.clear();
        unauthenticated.clear();
        later.clear();
        transport.close();
    }

    /** Returns the nanoseconds from the creation of this messenger to the last doWork. */
    long now() {
        return now;
    }

    /**
     * Returns the part of {@link #now} in which this side listened. While this side is suspended for longer than a heartbeat,
     * peers may send all the time, so the time beyond one heartbeat does not count as silence.
     */
    long listened() {
        return listened;
    }

    SessionChannel link(ChannelUser user, Role role) {
        byte[] nonce = new byte[Hello.NONCE_BYTES];
        nonces.nextBytes(nonce);
        long channel = role == Role.CONNECTOR ? ++channels : 0;
        Handshake handshake = new Handshake(role, options.self(), options.credentials(), nonce, channel);
        SessionChannel link = new SessionChannel(this, user, role, handshake);
        links.add(link);
        checkAt(now + options.heartbeatNanos());
        return link;
    }

    void checkAt(long nanos) {
        checkAt = Math.min(checkAt, nanos);
    }

    void later(Runnable call) {
        later.add(call);
    }

    void forget(SessionChannel link) {
        links.remove(link);
        unauthenticated.remove(link);
    }

    void authenticated(SessionChannel link) {
        unauthenticated.remove(link);
    }

    void forget(SessionConnector connector) {
        connectors.remove(connector);
    }

    private void advance() {
        long next = clock.getAsLong() - started;
        listened += Math.min(next - now, options.heartbeatNanos());
        now = next;
    }

    private int tick() {
        boolean idle = links.isEmpty() && connectors.isEmpty();
        checkAt = idle ? Long.MAX_VALUE : now + options.heartbeatNanos();
        long earliest = Long.MAX_VALUE;
        for (SessionChannel link : links.toArray(SessionChannel[]::new)) {
            earliest = Math.min(earliest, link.tick(now));
        }
        for (SessionConnector connector : connectors.toArray(SessionConnector[]::new)) {
            earliest = Math.min(earliest, connector.tick(now));
        }
        checkAt = idle ? checkAt : Math.max(Math.min(checkAt, earliest), now + step);
        return 1;
    }

    private static boolean isLoopback(String host) throws TransportException {
        try {
            return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new TransportException("cannot listen on '" + host + "': the host is unknown; check its name", e);
        }
    }
}
