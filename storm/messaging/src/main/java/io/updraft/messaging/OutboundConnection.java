package io.updraft.messaging;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import io.updraft.transport.Address;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Constants;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one other worker. Storm's threads put messages into a queue; the owner of the transport packs the queued
 * messages into frames.
 *
 * <p>When the queue is full and the connection is open, a sender waits, as with Storm's own transport, but for a limited time.
 * When the connection is not open, no sender waits: queued messages go to the peer's next start, and further messages are
 * dropped when the queue is full. Every dropped message is counted and logged. A dropped tuple that is tracked fails by
 * timeout, and can be replayed.
 */
final class OutboundConnection extends ConnectionWithStatus implements SessionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(OutboundConnection.class);
    private static final long PARK_NANOS = 50_000;

    /** The number of waiting messages that counts as full load, as in Storm's own transport. */
    private static final int FULL_LOAD = 1_024;

    private final IoThread io;
    private final MessagingSettings settings;
    private final Address to;
    private final BackPressureFlags flags;
    private final SendQueue queue;
    private final MessagePacker packer;
    private final SendCounts counts = new SendCounts();
    /** Whether the owner has been notified that the queue has messages. A sender that finds it unset notifies the owner. */
    private final AtomicBoolean ownerNotified = new AtomicBoolean();

    private final Runnable sendQueued = this::sendQueued;
    /** Owner only. */
    Session session;

    private SendGauges gauges;
    private volatile Map<Integer, Double> loads = Map.of();
    /** Written by the owner only. */
    private volatile boolean open;
    /** Written by the thread that closes; final. */
    private volatile boolean closed;

    OutboundConnection(IoThread io, MessagingSettings settings, String host, int port, BackPressureFlags flags) {
        this.io = io;
        this.settings = settings;
        this.to = new Address(host, port);
        this.flags = flags;
        this.queue = new SendQueue(settings.queueMessages(), settings.queueBytes());
        this.packer = new MessagePacker(queue, settings.batchBytes());
    }

    void open(StormMetricRegistry registry) {
        gauges = SendGauges.register(settings.sendMetrics() ? registry : null, to, counts, queue);
        io.execute(() -> session = io.messenger().connect(to, MessagingSettings.number(to.host(), to.port()), this));
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        long dropped = 0;
        while (messages.hasNext()) {
            TaskMessage message = messages.next();
            if (!offer(message)) {
                dropped++;
            }
        }
        wakeOwner();
        if (dropped > 0) {
            counts.dropped().addAndGet(dropped);
            LOG.warn(
                    "dropped {} messages to {}: {}; {} dropped since the start",
                    dropped,
                    to,
                    dropReason(),
                    counts.dropped());
        }
    }

    private boolean offer(TaskMessage message) {
        if (closed || MessageFrames.size(message) + MessageFrames.KIND_BYTES > Session.MAX_FRAME) {
            return false;
        }
        return queue.offer(message) || offerUntilTimeout(message);
    }

    private boolean offerUntilTimeout(TaskMessage message) {
        long began = System.nanoTime();
        wakeOwner();
        while (status() == Status.Ready && System.nanoTime() - began < settings.fullNanos()) {
            LockSupport.parkNanos(PARK_NANOS);
            if (queue.offer(message)) {
                return true;
            }
            if (Thread.currentThread().isInterrupted()) {
                return false; // the worker shuts down
            }
        }
        return false;
    }

    private String dropReason() {
        return switch (status()) {
            case Closed -> "the connection is closed";
            case Connecting -> "not connected, and the queue is full";
            case Ready -> "a message is too long for a frame, or the queue was full for too long";
        };
    }

    private void wakeOwner() {
        if (!ownerNotified.get() && ownerNotified.compareAndSet(false, true)) {
            io.execute(sendQueued);
        }
    }

    /** Owner only. Sends queued messages until the session refuses one. */
    private void sendQueued() {
        ownerNotified.set(false);
        while (packer.pack()) {
            if (!session.offer(packer.frame())) {
                // No sender needs to notify the owner before onWritable or onOpen, which call pump() too.
                ownerNotified.set(true);
                break;
            }
            counts.sent().addAndGet(packer.taken());
        }
        session.flush();
    }

    @Override
    public void onOpen(Session opened) {
        open = true;
        counts.connections().incrementAndGet();
        LOG.info("connected to {}; {} messages dropped since the start", to, counts.dropped());
        sendQueued();
    }

    @Override
    public void onFrame(Session sender, ByteBuffer frame) {
        int length = frame.remaining();
        byte kind = frame.get();
        switch (kind) {
            case MessageFrames.LOADS -> loads = MessageFrames.loads(frame);
            case MessageFrames.PRESSURE -> flags.apply(MessageFrames.pressure(frame));
            default -> throw new IllegalArgumentException(to + " sent a frame of kind " + kind + ", which is unknown");
        }
        sender.release(length);
    }

    @Override
    public void onWritable(Session writable) {
        sendQueued();
    }

    @Override
    public void onLost(Session ended, SessionLoss loss) {
        open = false;
        counts.maybeLostFrames().addAndGet(loss.frames());
        if (loss.refused()) {
            LOG.error("cannot connect to {}: {}; retrying", to, loss.reason());
        } else if (loss.frames() > 0) {
            LOG.warn(
                    "lost the connection to {}: {}; up to {} sent frames of {} bytes may not have arrived",
                    to,
                    loss.reason(),
                    loss.frames(),
                    loss.bytes());
        } else {
            LOG.info("lost the connection to {}: {}; no frame is lost", to, loss.reason());
        }
    }

    @Override
    public Status status() {
        if (closed) {
            return Status.Closed;
        }
        return open ? Status.Ready : Status.Connecting;
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        Map<Integer, Double> newest = loads;
        double ownLoad = Math.min(queue.size(), FULL_LOAD) / (double) FULL_LOAD;
        Map<Integer, Load> found = new HashMap<>();
        for (Integer task : tasks) {
            Double load = newest.get(task);
            if (load != null) {
                found.put(task, new Load(true, load, ownLoad));
            }
        }
        return found;
    }

    @Override
    public int getPort() {
        return to.port();
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        throw new UnsupportedOperationException("loads go to workers that have connected to this one");
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus pressure) {
        throw new UnsupportedOperationException("back-pressure goes to workers that have connected to this one");
    }

    /** Waits a limited time for queued messages if the connection is open, and closes the connection. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        long began = System.nanoTime();
        while (status() == Status.Ready && !isIdle() && System.nanoTime() - began < settings.flushNanos()) {
            LockSupport.parkNanos(PARK_NANOS);
        }
        closed = true;
        io.execute(this::closeSession);
        gauges.remove();
    }

    private boolean isIdle() {
        return queue.isEmpty() && packer.isSent();
    }

    /** Owner only. */
    private void closeSession() {
        session.close();
        long left = packer.discard();
        if (left > 0) {
            counts.dropped().addAndGet(left);
            LOG.warn("dropped {} messages to {}: the connection is closed", left, to);
        }
    }

    @Override
    public String toString() {
        return "messages to " + to;
    }

    /**
     * Registers the counts of one connection as metrics, if there is a registry, under the names of Storm's own transport; {@code
     * maybeLostFrames} is additional.
     */
    private record SendGauges(StormMetricRegistry registry, Set<Metric> metrics) {

        private static final String PREFIX = "__send-iconnection-";

        static SendGauges register(StormMetricRegistry registry, Address to, SendCounts counts, SendQueue queue) {
            SendGauges gauges = new SendGauges(registry, new HashSet<>());
            gauges.add("reconnects", to, counts.connections()::get);
            gauges.add("sent", to, counts.sent()::get);
            gauges.add("pending", to, () -> (long) queue.size());
            gauges.add("lostOnSend", to, counts.dropped()::get);
            gauges.add("maybeLostFrames", to, counts.maybeLostFrames()::get);
            return gauges;
        }

        private void add(String name, Address to, Gauge<Long> gauge) {
            if (registry != null) {
                registry.gauge(
                        PREFIX + name + "-" + to.host() + ":" + to.port(), gauge, Constants.SYSTEM_COMPONENT_ID, (int)
                                Constants.SYSTEM_TASK_ID);
                metrics.add(gauge);
            }
        }

        void remove() {
            if (registry != null) {
                registry.deregister(metrics);
            }
        }
    }

    /**
     * Counts of the messages to one worker: taken by the session, dropped; of frames in flight when the connection was lost;
     * and of times that it was opened. Any thread.
     */
    private record SendCounts(AtomicLong sent, AtomicLong dropped, AtomicLong maybeLostFrames, AtomicLong connections) {
        SendCounts() {
            this(new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong());
        }
    }
}
