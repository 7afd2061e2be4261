package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;

/** The bindings of the transport, and the channels that peers open there. Owner of the transport only. */
final class UcxListeners {

    private final UcxTransport transport;

    /** Null where rdmacm opens channels. */
    private final PortExchanges introductions;

    private final List<UcxBinding> bindings = new ArrayList<>();

    UcxListeners(UcxTransport transport, PortExchanges introductions) {
        this.transport = transport;
        this.introductions = introductions;
    }

    UcxBinding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        UcxBinding binding = new UcxBinding(transport, this, acceptor);
        try {
            InetAddress host = ownAddress(address);
            binding.listensAt(
                    new Address(address.host(), listen(new InetSocketAddress(host, address.port()), binding)));
        } catch (UnknownHostException unknown) {
            throw new TransportException("ucx: cannot listen on " + address + ": the host name is unknown", unknown);
        } catch (UcxException | IOException refused) {
            throw new TransportException(
                    "ucx: cannot listen on " + address + " (" + refused.getMessage()
                            + "): the port may be in use; choose another port",
                    refused);
        }
        bindings.add(binding);
        return binding;
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

    private int listen(InetSocketAddress at, UcxBinding binding) throws IOException {
        if (introductions != null) {
            return introductions.listen(at, binding.temporaryListener(at.getAddress()));
        }
        UcpListener listener = transport.ucx().listen(at, binding::requested);
        binding.closesWith(listener::close);
        return listener.getAddress().getPort();
    }

    void unbound(UcxBinding binding) {
        bindings.remove(binding);
    }

    /** Accepts peers that want to connect. Returns their number. */
    int poll() {
        int accepted = 0;
        for (int i = bindings.size() - 1; i >= 0; i--) {
            UcxBinding binding = bindings.get(i);
            for (UcpConnectionRequest request = binding.next(); request != null; request = binding.next()) {
                accept(binding, request);
                accepted++;
            }
            binding.checkTemporaryListener();
        }
        return accepted;
    }

    private void accept(UcxBinding binding, UcpConnectionRequest request) {
        String peer = String.valueOf(request.getClientAddress()).replaceFirst("^/", "");
        UcxChannel channel =
                new UcxChannel(transport, transport.newNumber(), peer, binding.acceptor, null, System.nanoTime());
        try {
            channel.attach(transport.ucx().accept(request, channel::failed));
        } catch (UcxException gone) {
            // The peer has disconnected; no handler has been notified of it yet.
            return;
        }
        transport.expectUnauthenticated(channel);
        transport.opening(channel);
    }

    boolean hasWork() {
        for (int i = 0; i < bindings.size(); i++) {
            if (bindings.get(i).hasRequests()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a peer that has introduced itself is expected} */
    boolean isExpectingPeer() {
        for (int i = 0; i < bindings.size(); i++) {
            if (bindings.get(i).isExpectingPeer()) {
                return true;
            }
        }
        return false;
    }

    void close() {
        List.copyOf(bindings).forEach(UcxBinding::close);
    }
}
