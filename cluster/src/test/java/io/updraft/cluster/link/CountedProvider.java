package io.updraft.cluster.link;

import io.updraft.transport.Address;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.HostService;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.Transports;
import io.updraft.transport.contract.ForwardingTransport;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A second transport: Netty's, but it records the addresses to which it connects, and does not encrypt. */
public final class CountedProvider implements TransportProvider {

    /** By which a configuration chooses it. */
    public static final String NAME = "counted";

    /** What its services on this host are now: opened, and not closed. */
    public static final AtomicInteger SERVICES = new AtomicInteger();

    /** In a configuration: makes transports of which nothing can be learned. */
    static final String BROKEN = "counted.broken";

    /** Transports of this kind that are open. */
    static final AtomicInteger OPEN = new AtomicInteger();

    /** To where transports of this kind have connected. */
    static final Collection<Address> CONNECTED = new ConcurrentLinkedQueue<>();

    /** For the service loader. */
    public CountedProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Transport create(TransportOptions options) throws TransportException {
        Transport inner = Transports.create("netty", options);
        OPEN.incrementAndGet();
        return new Counted(inner, options.conf().containsKey(BROKEN));
    }

    @Override
    public Optional<HostService> openHostService(TransportOptions options) {
        SERVICES.incrementAndGet();
        return Optional.of(new Service());
    }

    /** Nothing is shared but the number. */
    private static final class Service implements HostService {

        private final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public Map<String, Object> options() {
            return Map.of();
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                SERVICES.decrementAndGet();
            }
        }
    }

    private static final class Counted extends ForwardingTransport {

        private final boolean broken;

        Counted(Transport netty, boolean broken) {
            super(netty);
            this.broken = broken;
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            if (broken) {
                throw new LinkageError("broken");
            }
            return NAME;
        }

        @Override
        public boolean isMutuallyAuthenticated() {
            return false;
        }

        @Override
        public void connect(Address address, ChannelHandler handler) {
            CONNECTED.add(address);
            super.connect(address, handler);
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
            super.close();
        }
    }
}
