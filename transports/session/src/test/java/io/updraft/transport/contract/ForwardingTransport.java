package io.updraft.transport.contract;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;

/** A transport that forwards every call to another transport. A test overrides the methods that it changes or observes. */
public class ForwardingTransport implements Transport {

    private final Transport real;

    /**
     * Wraps a transport.
     *
     * @param real the one that does the work
     */
    protected ForwardingTransport(Transport real) {
        this.real = real;
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public String description() {
        return real.description();
    }

    @Override
    public boolean isMutuallyAuthenticated() {
        return real.isMutuallyAuthenticated();
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        return real.bind(address, acceptor);
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        real.connect(address, handler);
    }

    @Override
    public int poll() {
        return real.poll();
    }

    @Override
    public void await(long nanos) {
        real.await(nanos);
    }

    @Override
    public void wakeUp() {
        real.wakeUp();
    }

    @Override
    public void close() {
        real.close();
    }
}
