package io.updraft.cluster.link;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.Transports;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A second transport: it is Netty's, but remembers to where it has connected, and does not encrypt. */
public final class CountedProvider implements TransportProvider {

    static final String NAME = "counted";

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
        return new Counted(Transports.create("netty", options));
    }

    private record Counted(Transport inner) implements Transport {

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return NAME;
        }

        @Override
        public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
            return inner.bind(address, acceptor);
        }

        @Override
        public void connect(Address address, ChannelHandler handler) {
            CONNECTED.add(address);
            inner.connect(address, handler);
        }

        @Override
        public int poll() {
            return inner.poll();
        }

        @Override
        public void await(long nanos) {
            inner.await(nanos);
        }

        @Override
        public void wakeUp() {
            inner.wakeUp();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
