package io.updraft.transport.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.TransportException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** A listening socket. Owner only. */
final class NettyBinding implements Binding {

    private final NettyTransport transport;
    private final Channel listener;
    private final Address address;
    private boolean closed;

    private NettyBinding(NettyTransport transport, Channel listener, Address address) {
        this.transport = transport;
        this.listener = listener;
        this.address = address;
    }

    static NettyBinding bind(ServerBootstrap bootstrap, Address address, NettyTransport transport)
            throws TransportException {
        ChannelFuture bound = bootstrap.bind(new InetSocketAddress(resolve(address), address.port()));
        transport.complete(bound);
        if (!bound.isSuccess()) {
            throw new TransportException(explain(address, FailureReasons.root(bound.cause())), bound.cause());
        }
        int port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        return new NettyBinding(transport, bound.channel(), new Address(address.host(), port));
    }

    private static InetAddress resolve(Address address) throws TransportException {
        try {
            return InetAddress.getByName(address.host());
        } catch (UnknownHostException unknown) {
            throw new TransportException("cannot listen on " + address + ": the host name is unknown", unknown);
        }
    }

    private static String explain(Address address, String reason) {
        String prefix = "cannot listen on " + address + ": ";
        if (reason.contains("in use")) {
            return prefix + "the port is in use; choose another, or stop the process that uses it (see ss -ltnp)";
        }
        if (reason.contains("assign requested")) {
            return prefix + "this machine does not have this address; choose one of its own, or 0.0.0.0 for all";
        }
        if (reason.contains("ermission denied")) {
            return prefix + "permission denied; choose a port of 1024 or higher";
        }
        return prefix + reason;
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public void close() {
        transport.claimOwnership();
        if (!closed) {
            closed = true;
            transport.forget(this);
            transport.complete(listener.close());
        }
    }
}
