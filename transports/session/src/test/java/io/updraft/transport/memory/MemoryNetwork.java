package io.updraft.transport.memory;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A network in memory, for tests: deterministic for a seed and a sequence of calls, on one thread, with faults on demand.
 * Messages move only when a transport is polled.
 */
public final class MemoryNetwork {

    private static final int FIRST_PORT = 40_000;

    private record Bound(MemoryTransport owner, ChannelAcceptor acceptor) {}

    private final SplittableRandom random;
    private final int maxMessage;
    private final int bufferBytes;
    private final int windowBytes;
    private final Map<Address, Bound> bound = new HashMap<>();
    private final Set<Address> refusing = new HashSet<>();
    private final List<MemoryConnection> connections = new ArrayList<>();
    private Consumer<MemoryConnection> watcher = connection -> {};
    private int nextPort = FIRST_PORT;

    /**
     * Creates a network.
     *
     * @param seed decides all that is left to chance
     * @param maxMessage most bytes of a message
     * @param bufferBytes bytes that a channel may hold unsent
     * @param windowBytes bytes that may be under way in each direction
     */
    public MemoryNetwork(long seed, int maxMessage, int bufferBytes, int windowBytes) {
        random = new SplittableRandom(seed);
        this.maxMessage = maxMessage;
        this.bufferBytes = bufferBytes;
        this.windowBytes = windowBytes;
    }

    /** {@return a new transport of this network} */
    public Transport transport() {
        return new MemoryTransport(this);
    }

    /**
     * Refuses connections to an address from now on, or takes them again.
     *
     * @param address where somebody listens
     * @param refuse whether to refuse
     */
    public void refuse(Address address, boolean refuse) {
        if (refuse) {
            refusing.add(address);
        } else {
            refusing.remove(address);
        }
    }

    /**
     * Shows each connection to a test before anything goes over it.
     *
     * @param newWatcher sees each new connection
     */
    public void watch(Consumer<MemoryConnection> newWatcher) {
        watcher = newWatcher;
    }

    /** {@return all connections that there ever were, in order} */
    public List<MemoryConnection> connections() {
        return List.copyOf(connections);
    }

    /** {@return the newest connection} */
    public MemoryConnection lastConnection() {
        return connections.get(connections.size() - 1);
    }

    SplittableRandom random() {
        return random;
    }

    Binding bind(Address wanted, MemoryTransport owner, ChannelAcceptor acceptor) throws TransportException {
        Address address = wanted.port() == 0 ? new Address(wanted.host(), nextPort++) : wanted;
        if (bound.putIfAbsent(address, new Bound(owner, acceptor)) != null) {
            throw new TransportException(address + " is taken: choose another port");
        }
        return new MemoryBinding(this, address);
    }

    void unbind(Address address) {
        bound.remove(address);
    }

    void unbind(MemoryTransport owner) {
        bound.values().removeIf(listening -> listening.owner() == owner);
    }

    void connect(Address address, MemoryTransport from, ChannelHandler handler) {
        Bound listening = bound.get(address);
        if (listening == null || refusing.contains(address)) {
            handler.onClosed("connection to " + address + " refused");
            return;
        }
        Pipe toListener = new Pipe(bufferBytes, windowBytes);
        Pipe toConnector = new Pipe(bufferBytes, windowBytes);
        MemoryConnection connection = new MemoryConnection(address, random.split(), toListener, toConnector);
        int number = connections.size();
        connections.add(connection);
        watcher.accept(connection);
        from.add(new MemoryChannel(maxMessage, address.toString(), toListener, toConnector, handler));
        listening
                .owner()
                .arrive(() -> listening
                        .owner()
                        .add(new MemoryChannel(
                                maxMessage,
                                "memory:" + number,
                                toConnector,
                                toListener,
                                listening.acceptor().accept())));
    }

    private record MemoryBinding(MemoryNetwork network, Address address) implements Binding {

        @Override
        public void close() {
            network.unbind(address);
        }
    }
}
