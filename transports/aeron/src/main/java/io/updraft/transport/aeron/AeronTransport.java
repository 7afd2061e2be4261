package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.concurrent.AgentInvoker;

/** A client of a media driver, polled by the owner. */
final class AeronTransport implements Transport {

    /** How long messages offered just before closing have to leave. */
    private static final long LINGER_NANOS = 500_000_000;

    /** Attempts to find a free port among tens of thousands. */
    private static final int MAX_ATTEMPTS = 20;

    /** Shorter parks take no less time: Linux adds 50 us to each. */
    private static final long SHORTEST_PARK_NANOS = 20_000;

    /** Aeron cannot wake a thread, so await polls at least this often. */
    private static final long LONGEST_PARK_NANOS = 1_000_000;

    private static final String DRIVER_GONE = "the media driver is gone, or has timed out this process";

    final AeronSettings settings;
    final Aeron client;
    final AeronMedium medium;
    private final AeronDriver driver;
    private final AgentInvoker conductor;
    private final List<PeerSubscription> subscriptions = new ArrayList<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final SplittableRandom random = new SplittableRandom();

    /** Null until the first connect. */
    private DialedChannels answers;

    private boolean closed;

    private volatile Thread waiting;
    private volatile boolean woken;

    AeronTransport(AeronSettings settings) throws TransportException {
        this.settings = settings;
        driver = AeronDriver.start(settings);
        client = driver.client();
        conductor = client.conductorAgentInvoker();
        medium = new AeronMedium(settings.sharedDriver().isPresent(), settings.termBytes(), settings.loopbackMtu());
    }

    @Override
    public String name() {
        return AeronProvider.NAME;
    }

    @Override
    public String description() {
        return medium.shared() ? "aeron, shared memory, shared media driver" : "aeron, UDP, embedded media driver";
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        try {
            AeronBinding binding = medium.shared() ? bindShared(address, acceptor) : bindAt(address, acceptor);
            subscriptions.add(binding);
            return binding;
        } catch (RuntimeException refused) {
            throw new TransportException(
                    "aeron: cannot listen on " + address + ": " + AeronDriver.firstLine(refused)
                            + "; choose another address or port",
                    refused);
        }
    }

    private AeronBinding bindAt(Address address, ChannelAcceptor acceptor) {
        if (subscriptions.stream().anyMatch(subscription -> subscription.listensAt(address))) {
            throw new IllegalStateException("this transport listens there already");
        }
        return new AeronBinding(this, address, acceptor);
    }

    /** Binds a port in shared memory, where the transport must choose a free port itself. */
    private AeronBinding bindShared(Address address, ChannelAcceptor acceptor) {
        PortClaim.checkHost(address.host());
        if (address.port() != 0) {
            return bindAt(address, acceptor);
        }
        RuntimeException failure = null;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            try {
                return bindAt(new Address(address.host(), AeronMedium.anyPort(random)), acceptor);
            } catch (IllegalStateException another) {
                failure = another;
            }
        }
        throw failure;
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        try {
            if (answers == null) {
                answers = new DialedChannels(this);
                subscriptions.add(answers);
            }
            answers.connect(address, handler);
        } catch (RuntimeException refused) {
            later.add(() -> handler.onClosed("cannot connect to " + address + ": " + AeronDriver.firstLine(refused)));
        }
    }

    @Override
    public int poll() {
        if (closed) {
            return 0;
        }
        int done = conductor.invoke() + runLater();
        driver.checkProcess();
        if (client.isClosed()) {
            return done + endAll();
        }
        for (int i = 0; i < subscriptions.size(); i++) {
            done += subscriptions.get(i).poll();
        }
        subscriptions.removeIf(PeerSubscription::isReleased);
        return done;
    }

    /** Runs an action within a later poll. */
    void later(Runnable action) {
        later.add(action);
    }

    private int runLater() {
        int count = later.size();
        for (int i = 0; i < count; i++) {
            later.poll().run();
        }
        return count;
    }

    /**
     * Ends all channels because the driver has stopped, or has timed out this client. The handlers of the channels are notified
     * first. If there are no channels, the exception tells the owner to create another transport.
     */
    private int endAll() {
        List<AeronChannel> all = channels().filter(AeronChannel::isAlive).toList();
        all.forEach(channel -> channel.end(DRIVER_GONE));
        if (all.isEmpty()) {
            throw new IllegalStateException("aeron: " + DRIVER_GONE);
        }
        return all.size();
    }

    private Stream<AeronChannel> channels() {
        return subscriptions.stream().flatMap(subscription -> subscription.channels.stream());
    }

    @Override
    public void await(long nanos) {
        long deadline = System.nanoTime() + nanos;
        waiting = Thread.currentThread();
        long park = SHORTEST_PARK_NANOS;
        while (!woken && !closed && !hasWork()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            LockSupport.parkNanos(Math.min(park, left));
            if (park == LONGEST_PARK_NANOS && channels().anyMatch(AeronChannel::isChanging)) {
                break;
            }
            park = Math.min(2 * park, LONGEST_PARK_NANOS);
        }
        woken = false;
    }

    private boolean hasWork() {
        if (!later.isEmpty() || conductor.invoke() > 0) {
            return true;
        }
        for (PeerSubscription subscription : subscriptions) {
            if (subscription.hasInput()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void wakeUp() {
        woken = true;
        LockSupport.unpark(waiting);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!client.isClosed()) {
            List<AeronChannel> all = channels().toList();
            all.forEach(AeronChannel::abandon);
            linger(all);
        }
        later.clear();
        driver.close();
    }

    /**
     * Waits until the driver has sent the offered messages, if the driver is this transport's own and stops with it. A shared
     * driver goes on by itself.
     */
    private void linger(List<AeronChannel> all) {
        long deadline = System.nanoTime() + LINGER_NANOS;
        while (driver.isOwn()
                && System.nanoTime() - deadline < 0
                && all.stream().anyMatch(channel -> channel.unsent() > 0)) {
            conductor.invoke();
            LockSupport.parkNanos(LONGEST_PARK_NANOS);
        }
    }
}
