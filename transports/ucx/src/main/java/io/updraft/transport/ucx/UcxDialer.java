package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.ChannelHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.openucx.jucx.UcxException;

/**
 * Opens channels to peers: resolves host names, exchanges ports where there is no RDMA, and connects. Owner of the transport
 * only.
 */
final class UcxDialer {

    private final UcxTransport transport;

    /** Null where rdmacm opens channels. */
    private final PortExchanges portExchanges;

    private final List<Resolving> resolving = new ArrayList<>();

    UcxDialer(UcxTransport transport, PortExchanges portExchanges) {
        this.transport = transport;
        this.portExchanges = portExchanges;
    }

    void connect(Address address, ChannelHandler handler) {
        UcxChannel channel = new UcxChannel(transport, address.toString(), null, handler);
        transport.opening(channel);
        // A name lookup may take long; the owner must not wait for it.
        resolving.add(new Resolving(
                channel, CompletableFuture.supplyAsync(() -> new InetSocketAddress(address.host(), address.port()))));
    }

    int poll() {
        int before = resolving.size();
        if (before > 0) {
            resolving.removeIf(this::connected);
        }
        return before - resolving.size();
    }

    boolean hasWork() {
        for (int i = 0; i < resolving.size(); i++) {
            if (resolving.get(i).address.isDone()) {
                return true;
            }
        }
        return false;
    }

    private boolean connected(Resolving resolving) {
        if (!resolving.address.isDone()) {
            return false;
        }
        UcxChannel channel = resolving.channel;
        InetSocketAddress address = resolving.address.join();
        if (address.isUnresolved()) {
            channel.failed("the host name is unknown");
            return true;
        }
        try {
            if (portExchanges == null) {
                reach(channel, address);
            } else {
                portExchanges.connect(
                        address,
                        answer -> reach(channel, new InetSocketAddress(address.getAddress(), answer.port())),
                        channel::failed);
            }
        } catch (IOException refused) {
            channel.failed(refused.getMessage());
        }
        return true;
    }

    private void reach(UcxChannel channel, InetSocketAddress address) {
        if (channel.isClosed()) {
            return;
        }
        transport.expect(channel);
        try {
            channel.attach(transport.ucx.connect(address, channel::failed));
            channel.sayHello();
        } catch (UcxException refused) {
            channel.failed(refused.getMessage());
        }
    }

    /** A channel whose peer's address is being resolved. */
    private record Resolving(UcxChannel channel, CompletableFuture<InetSocketAddress> address) {}
}
