package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import java.util.ArrayDeque;
import java.util.Deque;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;

/** A listener. Owner of the transport only. */
final class UcxBinding implements Binding {

    final ChannelAcceptor acceptor;
    private final UcxTransport transport;
    private final Deque<UcpConnectionRequest> requests = new ArrayDeque<>();
    private UcpListener listener;
    private Address address;

    UcxBinding(UcxTransport transport, ChannelAcceptor acceptor) {
        this.transport = transport;
        this.acceptor = acceptor;
    }

    void listening(UcpListener by, Address at) {
        listener = by;
        address = at;
    }

    /** From within a callback of UCX. */
    void requested(UcpConnectionRequest request) {
        requests.add(request);
    }

    /** {@return a peer that wants to connect, or null} */
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
        if (listener == null) {
            return;
        }
        requests.forEach(UcpConnectionRequest::reject);
        requests.clear();
        listener.close();
        listener = null;
        transport.unbound(this);
    }
}
