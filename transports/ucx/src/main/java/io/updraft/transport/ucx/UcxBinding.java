package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.openucx.jucx.ucp.UcpConnectionRequest;

/** A listener. Owner of the transport only. */
final class UcxBinding implements Binding {

    final ChannelAcceptor acceptor;
    private final UcxTransport transport;
    private final UcxListeners listeners;
    private final Deque<UcpConnectionRequest> requests = new ArrayDeque<>();
    private Runnable closing;
    private TemporaryListener temporaryListener;
    private Address address;

    UcxBinding(UcxTransport transport, UcxListeners listeners, ChannelAcceptor acceptor) {
        this.transport = transport;
        this.listeners = listeners;
        this.acceptor = acceptor;
    }

    void closesWith(Runnable how) {
        closing = how;
    }

    void listensAt(Address at) {
        address = at;
    }

    /** Creates the door for peers that have introduced themselves. */
    TemporaryListener temporaryListener(InetAddress host) {
        temporaryListener = new TemporaryListener(
                transport.ucx(), host, transport.options().connectTimeoutNanos(), this::requested);
        closing = temporaryListener::close;
        return temporaryListener;
    }

    void checkTemporaryListener() {
        if (temporaryListener != null) {
            temporaryListener.check(System.nanoTime());
        }
    }

    boolean isExpectingPeer() {
        return temporaryListener != null && temporaryListener.isOpen();
    }

    /** Called from within a callback of UCX. */
    void requested(UcpConnectionRequest request) {
        requests.add(request);
    }

    /** {@return the request of a peer that wants to connect, or null} */
    UcpConnectionRequest next() {
        return requests.poll();
    }

    boolean hasRequests() {
        return !requests.isEmpty();
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public void close() {
        if (closing == null) {
            return;
        }
        requests.forEach(UcpConnectionRequest::reject);
        requests.clear();
        closing.run();
        closing = null;
        listeners.unbound(this);
    }
}
