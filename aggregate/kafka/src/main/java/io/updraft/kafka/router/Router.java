package io.updraft.kafka.router;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.kafka.sink.RecordRefusals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to one of several targets. The hash of the key selects the partition index. The first target where that index
 * works gets the record.
 *
 * <p>At least once: a record that a target does not acknowledge within the failover time goes to the next target. If the first
 * target stored it nevertheless, there are two copies. Records of a key stay in order only while nothing fails. Each index of
 * each target has a circuit breaker of its own: when a broker fails, only its own partitions are affected.
 *
 * <p>Memory is bounded: {@link #send} returns false when the router is full. Thread-safe.
 */
public final class Router implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private static final class RoutedRecord {
        final byte[] key;
        final byte[] value;
        final int partition;
        final Listener listener;
        boolean probe;

        RoutedRecord(byte[] key, byte[] value, int partition, Listener listener) {
            this.key = key;
            this.value = value;
            this.partition = partition;
            this.listener = listener;
        }

        int bytes() {
            return key.length + (value == null ? 0 : value.length);
        }
    }

    /** One target, and the thread that feeds its producer. That thread may block while a cluster does not answer. */
    private final class TargetQueue {
        final RouterSettings.Target target;
        final CircuitBreaker[] circuits;
        final Deque<RoutedRecord> records = new ArrayDeque<>();
        final Thread thread;
        long delivered;
        RecordSender sender;

        TargetQueue(RouterSettings.Target target) {
            this.target = target;
            this.circuits = new CircuitBreaker[settings.partitions()];
            for (int i = 0; i < circuits.length; i++) {
                circuits[i] = new CircuitBreaker(settings.probe().toNanos());
            }
            this.thread = DaemonThreads.create("router-" + target.name(), () -> feed(this));
        }
    }

    private final RouterSettings settings;
    private final Function<RouterSettings.Target, RecordSender> senders;
    private final List<TargetQueue> targets = new ArrayList<>();
    private final Thread timer;

    // All guarded by this.
    private final Deque<RoutedRecord> parked = new ArrayDeque<>();
    private int waiting;
    private long waitingBytes;
    private long rerouted;
    private long refused;
    private long failed;
    private boolean closing;
    private boolean closed;

    /** Starts a router. Targets need not be reachable yet. */
    public Router(RouterSettings settings) {
        this(settings, target -> new RecordSender.OfProducer(settings, target));
    }

    Router(RouterSettings settings, Function<RouterSettings.Target, RecordSender> senders) {
        this.settings = settings;
        this.senders = senders;
        settings.targets().forEach(target -> targets.add(new TargetQueue(target)));
        this.timer = DaemonThreads.create("router-probes", this::unpark);
        targets.forEach(queue -> queue.thread.start());
        timer.start();
    }

    /**
     * Takes a record if it has capacity. Does not block.
     *
     * @param key determines the partition index
     * @param value may be null
     * @param listener receives the record's outcome, if the record was taken
     * @return false if the router is full and did not take the record
     * @throws IllegalStateException if the router is closed
     */
    public boolean send(byte[] key, byte[] value, Listener listener) {
        RoutedRecord item = new RoutedRecord(key, value, partition(key, settings.partitions()), listener);
        synchronized (this) {
            if (closing) {
                throw new IllegalStateException("the router is closed");
            }
            if (!hasCapacity(item.bytes())) {
                refused++;
                return false;
            }
            waiting++;
            waitingBytes += item.bytes();
            dispatch(item);
        }
        return true;
    }

    /** Returns the partition index of a key, as Kafka's default partitioner does, so that other producers agree. */
    static int partition(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /**
     * Waits until there is capacity for a record. Another thread may use it first.
     *
     * @param bytes the size of key and value
     */
    public synchronized boolean awaitRoom(int bytes, Duration timeout) throws InterruptedException {
        return await(() -> hasCapacity(bytes), timeout);
    }

    private boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Returns whether a record fits. A record of any size fits when none is waiting: Kafka decides whether it is too large. */
    private boolean hasCapacity(int bytes) {
        return waiting == 0 || waiting < settings.maxRecords() && waitingBytes + bytes <= settings.maxBytes();
    }

    /** Queues a record for the first target that admits it, or parks it if no target does. Called under the lock. */
    private void dispatch(RoutedRecord item) {
        long now = System.nanoTime();
        for (TargetQueue queue : targets) {
            CircuitBreaker circuit = queue.circuits[item.partition];
            boolean works = circuit.isClosed();
            if (circuit.admits(now)) {
                item.probe = !works;
                queue.records.add(item);
                notifyAll();
                return;
            }
        }
        parked.add(item);
    }

    // ---- the thread of one target

    private void feed(TargetQueue queue) {
        try {
            queue.sender = senders.apply(queue.target);
        } catch (RuntimeException e) {
            LOG.error(
                    "cannot create a producer for target {}, check its settings: {}",
                    queue.target.name(),
                    e.getMessage());
            queue.sender = (partition, key, value, callback) -> callback.done(-1, e);
        }
        for (RoutedRecord item = next(queue); item != null; item = next(queue)) {
            send(queue, item);
        }
    }

    private synchronized RoutedRecord next(TargetQueue queue) {
        while (true) {
            RoutedRecord item = queue.records.poll();
            if (closed) {
                if (item != null) {
                    queue.records.addFirst(item);
                }
                return null;
            }
            if (item == null) {
                if (!await()) {
                    return null;
                }
            } else if (item.probe || queue.circuits[item.partition].isClosed()) {
                return item;
            } else {
                dispatch(item);
            }
        }
    }

    private boolean await() {
        try {
            wait();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void send(TargetQueue queue, RoutedRecord item) {
        long began = System.nanoTime();
        long timeout = settings.failover().toNanos() / 2;
        queue.sender.send(item.partition, item.key, item.value, (offset, failure) -> {
            if (failure == null) {
                delivered(queue, item, offset);
            } else {
                // A send that blocked here has not reached the cluster: other queued records would block as long.
                boolean blocked = Thread.currentThread() == queue.thread && System.nanoTime() - began > timeout;
                failed(queue, item, failure, blocked);
            }
        });
    }

    // ---- a producer's thread

    private void delivered(TargetQueue queue, RoutedRecord item, long offset) {
        synchronized (this) {
            queue.circuits[item.partition].succeeded();
            queue.delivered++;
            done(item);
        }
        item.listener.onDelivered(queue.target.name(), item.partition, offset);
    }

    private void failed(TargetQueue queue, RoutedRecord item, Exception failure, boolean whole) {
        boolean lasting = RecordRefusals.isRefusal(failure);
        synchronized (this) {
            if (!lasting) {
                open(queue, item.partition, whole, failure);
            }
            if (!lasting && !closed) {
                rerouted++;
                dispatch(item);
                return;
            }
            if (lasting && item.probe) {
                // The failure says nothing about the target: the next record may probe it.
                open(queue, item.partition, false, failure);
            }
            failed++;
            done(item);
        }
        item.listener.onFailed(failure);
    }

    private void open(TargetQueue queue, int partition, boolean whole, Exception failure) {
        if (queue.circuits[partition].isClosed()) {
            LOG.warn(
                    "partition {} of target {} failed, its records go to the next target: {}",
                    partition,
                    queue.target.name(),
                    failure.getMessage());
        }
        long now = System.nanoTime();
        queue.circuits[partition].failed(now);
        if (whole) {
            for (CircuitBreaker circuit : queue.circuits) {
                circuit.failed(now);
            }
        }
    }

    private void done(RoutedRecord item) {
        waiting--;
        waitingBytes -= item.bytes();
        notifyAll();
    }

    // ---- the timer's thread

    /** Dispatches parked records again at short intervals. A target admits one of them when its probe is due. */
    private synchronized void unpark() {
        long step = Math.max(1, settings.probe().toMillis() / 8);
        while (!closed) {
            for (int count = parked.size(); count > 0; count--) {
                dispatch(parked.remove());
            }
            try {
                wait(step);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Returns the counts since the start. */
    public synchronized Counts counts() {
        Map<String, Long> delivered = new LinkedHashMap<>();
        targets.forEach(queue -> delivered.put(queue.target.name(), queue.delivered));
        return new Counts(delivered, rerouted, refused, failed, waiting);
    }

    /**
     * Waits until no record is waiting.
     *
     * @return whether the outcome of every taken record is known
     */
    public synchronized boolean flush(Duration timeout) throws InterruptedException {
        return await(() -> waiting == 0, timeout);
    }

    /** Takes no more records, waits up to three failover times, and then fails the records that are left. */
    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        try {
            flush(settings.failover().multipliedBy(3));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        targets.forEach(this::end);
        abandon();
    }

    private void end(TargetQueue queue) {
        DaemonThreads.join(queue.thread, settings.failover().toMillis() * 2);
        if (queue.sender != null) {
            queue.sender.close();
        }
    }

    private void abandon() {
        List<RoutedRecord> left = new ArrayList<>();
        synchronized (this) {
            targets.forEach(queue -> {
                left.addAll(queue.records);
                queue.records.clear();
            });
            left.addAll(parked);
            parked.clear();
            failed += left.size();
            left.forEach(this::done);
        }
        left.forEach(item -> item.listener.onFailed(
                new IllegalStateException("the router was closed before any target took the record")));
    }

    /**
     * The counts of a router since its start.
     *
     * @param delivered records stored, by target
     * @param rerouted how often a record was sent again after a failure; each may be a duplicate, if only the acknowledgement was
     *     lost
     * @param refused records not taken because the router was full
     * @param failed records given up
     * @param waiting records taken whose outcome is not known yet
     */
    public record Counts(Map<String, Long> delivered, long rerouted, long refused, long failed, int waiting) {}

    /** Receives the outcome of each record that the router took, once. Called on a thread of a producer, and must not block. */
    public interface Listener {

        /** All in-sync replicas have stored the record. */
        void onDelivered(String target, int partition, long offset);

        /**
         * The record was not stored as far as the router knows. No target can store it (too large), or the router was closed.
         */
        void onFailed(Exception cause);
    }
}
