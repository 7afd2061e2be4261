package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;

/** The bindings of the transport, and the channels that peers open there. Owner of the transport only. */
final class UcxListeners {

    private final UcxTransport transport;

    /** Null where rdmacm opens channels. */
    private final PortExchanges portExchanges;

    private final List<Listening> bindings = new ArrayList<>();

    UcxListeners(UcxTransport transport, PortExchanges portExchanges) {
        this.transport = transport;
        this.portExchanges = portExchanges;
    }

    Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        try {
            Listening binding = new Listening(address, ownAddress(address), acceptor);
            bindings.add(binding);
            return binding;
        } catch (UnknownHostException unknown) {
            throw new TransportException("ucx: cannot listen on " + address + ": the host name is unknown", unknown);
        } catch (UcxException | IOException refused) {
            throw new TransportException(
                    "ucx: cannot listen on " + address + " (" + refused.getMessage()
                            + "): the port may be in use; choose another port",
                    refused);
        }
    }

    /**
     * Resolves an address and checks that it is this machine's. With rdmacm, UCX 1.13 never returns from listening on an
     * address of another machine, at any port.
     */
    private static InetAddress ownAddress(Address address) throws TransportException, IOException {
        InetAddress host = InetAddress.getByName(address.host());
        if (!host.isAnyLocalAddress() && NetworkInterface.getByInetAddress(host) == null) {
            throw new TransportException("ucx: cannot listen on " + address
                    + ": it is not an address of this machine; choose one of its own, or 0.0.0.0");
        }
        return host;
    }

    /** Accepts peers that want to connect. Returns their number. */
    int poll() {
        int accepted = 0;
        for (int i = bindings.size() - 1; i >= 0; i--) {
            Listening binding = bindings.get(i);
            for (UcpConnectionRequest request = binding.requests.poll();
                    request != null;
                    request = binding.requests.poll()) {
                accept(binding.acceptor, request);
                accepted++;
            }
            if (binding.temporaryListener != null) {
                binding.temporaryListener.check(System.nanoTime());
            }
        }
        return accepted;
    }

    private void accept(ChannelAcceptor acceptor, UcpConnectionRequest request) {
        String peer = String.valueOf(request.getClientAddress()).replaceFirst("^/", "");
        UcxChannel channel = new UcxChannel(transport, peer, acceptor, null);
        try {
            channel.attach(transport.ucx.accept(request, channel::failed));
        } catch (UcxException failure) {
            // The peer has disconnected; no handler has been notified of it yet.
            return;
        }
        transport.expectUnauthenticated(channel);
        transport.opening(channel);
    }

    boolean hasWork() {
        for (int i = 0; i < bindings.size(); i++) {
            if (!bindings.get(i).requests.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a peer is expected that has asked for the port of a temporary listener} */
    boolean isExpectingPeer() {
        for (int i = 0; i < bindings.size(); i++) {
            TemporaryListener listener = bindings.get(i).temporaryListener;
            if (listener != null && listener.isOpen()) {
                return true;
            }
        }
        return false;
    }

    void close() {
        List.copyOf(bindings).forEach(Listening::close);
    }

    private final class Listening implements Binding {

        private final ChannelAcceptor acceptor;
        private final Address address;
        private final Deque<UcpConnectionRequest> requests = new ArrayDeque<>();
        private final Runnable closing;

        /** Null where rdmacm opens channels. */
        private final TemporaryListener temporaryListener;

        private boolean closed;

        Listening(Address requested, InetAddress host, ChannelAcceptor acceptor) throws IOException {
            this.acceptor = acceptor;
            InetSocketAddress at = new InetSocketAddress(host, requested.port());
            int port;
            if (portExchanges == null) {
                temporaryListener = null;
                UcpListener listener = transport.ucx.listen(at, requests::add);
                closing = listener::close;
                port = listener.getAddress().getPort();
            } else {
                temporaryListener = new TemporaryListener(
                        transport.ucx, host, transport.options.connectTimeoutNanos(), requests::add);
                ServerSocketChannel server = portExchanges.listen(at, temporaryListener);
                closing = () -> {
                    temporaryListener.close();
                    portExchanges.close(server);
                };
                port = server.socket().getLocalPort();
            }
            address = new Address(requested.host(), port);
        }

        @Override
        public Address address() {
            return address;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                requests.forEach(UcpConnectionRequest::reject);
                requests.clear();
                closing.run();
                bindings.remove(this);
            }
        }
    }
}
