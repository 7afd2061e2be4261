package io.updraft.messaging;

import io.updraft.transport.Binding;
import io.updraft.transport.session.Peer;
import io.updraft.transport.session.SessionHandler;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metric.api.IMetric;
import org.apache.storm.metric.api.IStatefulObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the other workers are connected to. Tuples come in; loads and back-pressure go out to all of them, from any thread.
 * The connected ones belong to the owner of the transport.
 */
final class Inbound extends ConnectionWithStatus implements IStatefulObject {

    private static final Logger LOG = LoggerFactory.getLogger(Inbound.class);

    private final IoThread io;
    private final int port;
    private final IConnectionCallback callback;
    private final Supplier<Object> greeting;
    private final Set<InboundSession> open = new LinkedHashSet<>();
    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final AtomicInteger undeliverable = new AtomicInteger();
    private Binding binding;
    private volatile boolean closed;

    Inbound(IoThread io, int port, IConnectionCallback callback, Supplier<Object> greeting) {
        this.io = io;
        this.port = port;
        this.callback = callback;
        this.greeting = greeting;
    }

    /** Owner only. */
    void listening(Binding bound) {
        binding = bound;
    }

    /** Owner only. */
    SessionHandler accept(Peer peer) {
        return closed ? null : new InboundSession(this, peer);
    }

    /** Owner only. Tells a worker that has just connected how things are. */
    void opened(InboundSession session) {
        open.add(session);
        BackPressureStatus status = pressureNow(null);
        if (status != null) {
            session.send(Frames.pressure(status));
        }
    }

    /** Owner only. What Storm knows at this moment; the other if it does not say. */
    private BackPressureStatus pressureNow(BackPressureStatus otherwise) {
        return greeting != null && greeting.get() instanceof BackPressureStatus now ? now : otherwise;
    }

    /** Owner only. */
    void lost(InboundSession session) {
        open.remove(session);
    }

    /**
     * Owner only. Hands messages to Storm. What Storm cannot take, a tuple that cannot be read, say, is lost, and its tree
     * fails by timeout: Storm's own transport ends the worker then, and the next one when the tuple is replayed.
     */
    void deliver(List<TaskMessage> messages, String from) {
        received.computeIfAbsent(from, worker -> new AtomicInteger()).addAndGet(messages.size());
        try {
            callback.recv(messages);
        } catch (RuntimeException e) {
            int all = undeliverable.addAndGet(messages.size());
            LOG.error(
                    "up to {} messages from {} could not be delivered, {} since the start; their tuples fail by timeout",
                    messages.size(),
                    from,
                    all,
                    e);
        }
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        ByteBuffer frame = Frames.loads(taskToLoad);
        io.execute(() -> broadcast(frame));
    }

    /**
     * Has the others told how things are when it is their turn. Storm calls this from two threads, that of what arrives and a
     * timer's, with what each saw before: told in the order of the calls, that a task is overloaded could come after that it no
     * longer is, and whoever sends to it would wait for ever.
     */
    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        io.execute(() -> {
            BackPressureStatus now = pressureNow(status);
            LOG.info("telling all workers of back-pressure: {}", now);
            broadcast(Frames.pressure(now));
        });
    }

    /** Owner only. */
    private void broadcast(ByteBuffer frame) {
        // A copy: what a peer does not survive being told may take it out.
        List.copyOf(open).forEach(session -> session.send(frame.duplicate()));
    }

    @Override
    public Status status() {
        return closed ? Status.Closed : Status.Ready;
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        throw new UnsupportedOperationException("a worker does not send to those who have connected to it");
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        throw new UnsupportedOperationException("a worker does not know the load of those who have connected to it");
    }

    /** Gives Storm what its own transport gives: messages received since the last call. */
    @Override
    public Object getState() {
        Map<String, Object> state = new HashMap<>();
        Map<String, Integer> enqueued = new HashMap<>();
        received.forEach((from, count) -> enqueued.put(from, count.getAndSet(0)));
        // Workers come and go. A count that grows just now may be lost with its worker's name: this is for people.
        received.keySet().removeIf(from -> enqueued.get(from) == 0);
        enqueued.values().removeIf(count -> count == 0);
        state.put("enqueued", enqueued);
        state.put("undeliverable", undeliverable.getAndSet(0));
        if (callback instanceof IMetric metric && metric.getValueAndReset() instanceof Map<?, ?> sizes) {
            state.put("messageBytes", sizes);
        }
        return state;
    }

    @Override
    public void close() {
        closed = true;
        io.execute(() -> {
            binding.close();
            // Closing tells lost(), which takes it out of the set.
            List.copyOf(open).forEach(InboundSession::close);
        });
    }

    @Override
    public String toString() {
        return "messages from other workers at port " + port;
    }
}
