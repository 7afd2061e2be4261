package io.updraft.messaging;

import io.updraft.transport.Binding;
import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
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
 * The server side of a worker: other workers connect to it. Tuples come in. Loads and back-pressure go out to all connected
 * workers; any thread may send them. The owner of the transport owns the sessions.
 */
final class InboundConnection extends ConnectionWithStatus implements IStatefulObject {

    private static final Logger LOG = LoggerFactory.getLogger(InboundConnection.class);

    private final IoThread io;
    private final int port;
    private final IConnectionCallback callback;
    private final Supplier<Object> greeting;
    private final Set<InboundSession> open = new LinkedHashSet<>();
    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final AtomicInteger undeliverable = new AtomicInteger();
    private Binding binding;
    private volatile boolean closed;

    InboundConnection(IoThread io, int port, IConnectionCallback callback, Supplier<Object> greeting) {
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
    SessionHandler accept(PeerIdentity peer) {
        return closed ? null : new InboundSession(peer);
    }

    /** Owner only. Returns Storm's current back-pressure; {@code otherwise} if Storm does not supply it. */
    private BackPressureStatus pressureNow(BackPressureStatus otherwise) {
        return greeting != null && greeting.get() instanceof BackPressureStatus now ? now : otherwise;
    }

    /**
     * Owner only. Hands messages to Storm. If Storm throws, for example because a tuple cannot be deserialized, the messages
     * are lost and their tuple trees fail by timeout. Storm's own transport would end the worker instead, and after the replay
     * of the tuple the next worker.
     */
    private void deliver(List<TaskMessage> messages, String sender) {
        received.computeIfAbsent(sender, worker -> new AtomicInteger()).addAndGet(messages.size());
        try {
            callback.recv(messages);
        } catch (RuntimeException e) {
            int all = undeliverable.addAndGet(messages.size());
            LOG.error(
                    "cannot deliver up to {} messages from {}, {} since the start; their tuples fail by timeout",
                    messages.size(),
                    sender,
                    all,
                    e);
        }
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        ByteBuffer frame = MessageFrames.loads(taskToLoad);
        io.execute(() -> broadcast(frame));
    }

    /**
     * Sends the back-pressure that is current when the owner's thread runs, not the one given. Storm calls this method from two
     * threads, the receiving thread and a timer, each with the status it saw before. In the order of the calls, an old
     * "overloaded" could follow a newer "no longer overloaded", and the senders of the task would wait forever.
     */
    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        io.execute(() -> {
            BackPressureStatus now = pressureNow(status);
            LOG.info("sending back-pressure to all workers: {}", now);
            broadcast(MessageFrames.pressure(now));
        });
    }

    /** Owner only. */
    private void broadcast(ByteBuffer frame) {
        // A copy: sending to a session may close and remove it.
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
        throw new UnsupportedOperationException("a worker does not send to workers that have connected to it");
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        throw new UnsupportedOperationException("a worker does not know the load of workers that have connected to it");
    }

    /** Returns the metrics of Storm's own transport: the messages received since the last call. */
    @Override
    public Object getState() {
        Map<String, Object> state = new HashMap<>();
        Map<String, Integer> enqueued = new HashMap<>();
        received.forEach((sender, count) -> enqueued.put(sender, count.getAndSet(0)));
        // Removes workers without new messages. A concurrent count may be lost with its entry, which is acceptable for
        // metrics.
        received.keySet().removeIf(sender -> enqueued.get(sender) == 0);
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
            // Closing calls onLost(), which removes the session from the set.
            List.copyOf(open).forEach(InboundSession::close);
        });
    }

    @Override
    public String toString() {
        return "messages from other workers at port " + port;
    }

    /**
     * The session of one worker that has connected. Owner of the transport only.
     *
     * <p>While the session takes nothing, it keeps the newest loads and the newest back-pressure, one of each. Both are sent as a
     * whole, so older ones are obsolete.
     */
    private final class InboundSession implements SessionHandler {

        private final String name;
        private Session session;
        private ByteBuffer loads;
        private ByteBuffer pressure;

        InboundSession(PeerIdentity peer) {
            name = "worker " + Integer.toHexString(peer.worker()) + " started at " + peer.incarnation();
        }

        @Override
        public void onOpen(Session opened) {
            session = opened;
            LOG.info("{} has connected", name);
            open.add(this);
            BackPressureStatus status = pressureNow(null);
            if (status != null) {
                send(MessageFrames.pressure(status));
            }
        }

        @Override
        public void onFrame(Session sender, ByteBuffer frame) {
            int length = frame.remaining();
            byte kind = frame.get();
            if (kind != MessageFrames.TUPLES) {
                throw new IllegalArgumentException(name + " sent a frame of kind " + kind + " instead of tuples");
            }
            deliver(MessageFrames.tuples(frame), name);
            sender.release(length);
        }

        @Override
        public void onWritable(Session writable) {
            flush();
        }

        @Override
        public void onLost(Session ended, SessionLoss loss) {
            LOG.info("{} is no longer connected: {}", name, loss.reason());
            open.remove(this);
        }

        void send(ByteBuffer frame) {
            if (frame.get(frame.position()) == MessageFrames.LOADS) {
                loads = frame;
            } else {
                pressure = frame;
            }
            flush();
        }

        void close() {
            session.close();
        }

        private void flush() {
            if (pressure != null && session.offer(pressure)) {
                pressure = null;
            }
            if (loads != null && session.offer(loads)) {
                loads = null;
            }
            session.flush();
        }
    }
}
