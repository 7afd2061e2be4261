package io.updraft.transport.memory;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.util.ArrayList;
import java.util.List;

/** A transport of a {@link MemoryNetwork}. All of a network's transports belong to one thread. */
final class MemoryTransport implements Transport {

    private record Attempt(Address address, ChannelHandler handler) {}

    private final MemoryNetwork network;
    private List<MemoryChannel> channels = new ArrayList<>();
    private List<Attempt> attempts = new ArrayList<>();
    private List<Runnable> arrivals = new ArrayList<>();
    private boolean closed;

    MemoryTransport(MemoryNetwork network) {
        this.network = network;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "memory, for tests";
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        return network.bind(address, this, acceptor);
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        attempts.add(new Attempt(address, handler));
    }

    @Override
    public int poll() {
        List<Attempt> trying = attempts;
        attempts = new ArrayList<>();
        trying.forEach(attempt -> network.connect(attempt.address(), this, attempt.handler()));
        List<Runnable> arriving = arrivals;
        arrivals = new ArrayList<>();
        arriving.forEach(Runnable::run);
        return trying.size() + arriving.size() + pollChannels();
    }

    @Override
    public void await(long nanos) {
        // Time is the test's: whoever waits for nothing goes on at once.
    }

    @Override
    public void wakeUp() {
        // See await.
    }

    @Override
    public void close() {
        closed = true;
        channels.forEach(MemoryChannel::close);
        channels.clear();
        attempts.clear();
        arrivals.clear();
        network.unbind(this);
    }

    void add(MemoryChannel channel) {
        channels.add(channel);
    }

    void arrive(Runnable arrival) {
        arrivals.add(arrival);
    }

    private int pollChannels() {
        List<MemoryChannel> polled = channels;
        channels = new ArrayList<>();
        int work = 0;
        int start = polled.isEmpty() ? 0 : network.random().nextInt(polled.size());
        for (int i = 0; i < polled.size() && !closed; i++) {
            work += polled.get((start + i) % polled.size()).poll();
        }
        polled.removeIf(MemoryChannel::isDone);
        polled.addAll(channels);
        channels = polled;
        return work;
    }
}
