package io.updraft.kafka.reader;

import io.updraft.kafka.reader.ReaderConfig.OutOfRange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the partitions that one broker leads. Everything but {@link #add}, {@link #remove}, {@link #wake} and the ends is done on
 * its own thread, which owns the consumer.
 */
final class BrokerReader implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerReader.class);

    /** How long a fetch may be waited for; orders interrupt it. */
    private static final Duration POLL = Duration.ofMillis(500);

    private static final long NOTE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RETRY_MILLIS = 500;

    private final int broker;
    private final ReaderConfig config;
    private final Map<String, Object> settings;
    private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<TopicPartition, AssignedPartition> partitions = new HashMap<>();
    private final Thread thread;
    private volatile Consumer<ByteBuffer, ByteBuffer> consumer;
    private volatile boolean closed;

    /** When the broker had answered last, or had nothing to be asked for, nanoseconds. */
    private volatile long answeredAt = System.nanoTime();

    private Metric fetches;
    private double fetchesSeen;
    private long noted;

    BrokerReader(int broker, String address, ReaderConfig config) {
        this.broker = broker;
        this.config = config;
        this.settings = ClientSettings.ofReader(config, address);
        this.thread = new Thread(this, "updraft-kafka-broker-" + broker);
        thread.setDaemon(true);
    }

    int broker() {
        return broker;
    }

    /** Any thread: for how long the broker has not answered a fetch, although there was something to fetch. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - answeredAt);
    }

    /** Longer than a broker that works ever takes for an answer. */
    Duration patience() {
        return Duration.ofMillis(
                Long.parseLong(String.valueOf(settings.get(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG))));
    }

    @Override
    public String toString() {
        return "broker " + broker + " at " + settings.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
    }

    void start() {
        thread.start();
    }

    /** Any thread: read a partition from where it stands, from now on. */
    void add(AssignedPartition partition) {
        order(() -> {
            partitions.put(partition.id, partition);
            if (closed) {
                fail(List.of(partition), "cannot be read from broker " + broker + ", whose reader has ended");
            } else {
                reassign();
                seek(partition);
            }
        });
    }

    /** Any thread: leave a partition alone, and say so when it is done; nothing is put into its queue after that. */
    void remove(AssignedPartition partition, Runnable then) {
        order(() -> {
            if (partitions.remove(partition.id, partition) && !closed) {
                reassign();
            }
            then.run();
        });
    }

    /** Any thread: look after what has changed. */
    void wake() {
        Consumer<ByteBuffer, ByteBuffer> current = consumer;
        if (current != null) {
            current.wakeup();
        }
        LockSupport.unpark(thread);
    }

    private void order(Runnable order) {
        orders.add(order);
        if (hasEnded()) {
            obey();
        } else {
            wake();
        }
    }

    /** Whether the thread has ended, or will not look at its orders again. */
    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Any thread; returns at once. */
    void close() {
        closed = true;
        wake();
    }

    void awaitEnd(Duration limit) throws InterruptedException {
        ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void run() {
        try (Consumer<ByteBuffer, ByteBuffer> mine =
                new KafkaConsumer<>(settings, new ByteBufferView(config.keys()), new ByteBufferView(true))) {
            consumer = mine;
            fetches = fetches(mine);
            while (!closed) {
                doWork();
            }
            mine.close(CloseOptions.timeout(Duration.ZERO));
        } catch (RuntimeException | Error e) {
            closed = true;
            LOG.error("Reading from Kafka's broker {} has ended: {}", broker, e.toString(), e);
            failAll(e);
        } finally {
            closed = true;
            ended.countDown();
            obey();
        }
    }

    private void doWork() {
        try {
            obey();
            if (partitions.isEmpty()) {
                // Kafka's consumer refuses to wait for nothing.
                answeredAt = System.nanoTime();
                LockSupport.parkNanos(this, POLL.toNanos());
                return;
            }
            hold();
            ConsumerRecords<ByteBuffer, ByteBuffer> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                hand(records);
            }
            note();
        } catch (WakeupException orderOrRoom) {
            // Looked after in the next round.
        } catch (OffsetOutOfRangeException e) {
            e.offsetOutOfRangePartitions().forEach(this::outOfRange);
        } catch (TopicAuthorizationException e) {
            fail(
                    List.copyOf(partitions.values()).stream()
                            .filter(partition -> e.unauthorizedTopics().contains(partition.id.topic()))
                            .toList(),
                    "may not be read: " + e.getMessage() + "; ask for the right READ on the topic",
                    true);
        } catch (AuthorizationException e) {
            failAll(e);
        } catch (KafkaException e) {
            trouble(e);
        }
    }

    /** Once the thread has ended, whoever gives an order sees to it. */
    private synchronized void obey() {
        for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
            order.run();
        }
    }

    private void reassign() {
        consumer.assign(partitions.keySet());
    }

    private void seek(AssignedPartition partition) {
        if (partition.next == KafkaReader.EARLIEST) {
            consumer.seekToBeginning(List.of(partition.id));
        } else if (partition.next == KafkaReader.LATEST) {
            consumer.seekToEnd(List.of(partition.id));
        } else {
            consumer.seek(partition.id, partition.next);
        }
    }

    /** Fetches nothing for whom nobody takes what is there. */
    private void hold() {
        for (AssignedPartition partition : partitions.values()) {
            if (partition.becomesFull(config.queueBytes())) {
                consumer.pause(List.of(partition.id));
            }
            // Asked again after it was marked: what was taken before that has woken nobody.
            if (partition.hasRoomAgain(config.queueBytes())) {
                consumer.resume(List.of(partition.id));
            }
        }
    }

    private void hand(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        Map<TopicPartition, OffsetAndMetadata> next = records.nextOffsets();
        for (TopicPartition id : records.partitions()) {
            AssignedPartition partition = partitions.get(id);
            if (partition != null && !partition.revoked) {
                List<ConsumerRecord<ByteBuffer, ByteBuffer>> list = records.records(id);
                RecordBatch batch = batch(partition, list, next.get(id).offset());
                partition.next = batch.to();
                partition.put(batch);
            }
        }
    }

    private RecordBatch batch(
            AssignedPartition partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> records, long to) {
        int count = records.size();
        int valueBytes = 0;
        int keyBytes = 0;
        for (int i = 0; i < count; i++) {
            ConsumerRecord<ByteBuffer, ByteBuffer> consumed = records.get(i);
            valueBytes += Math.max(0, consumed.serializedValueSize());
            keyBytes += Math.max(0, consumed.serializedKeySize());
        }
        RecordBatch.Column values = new RecordBatch.Column(count, valueBytes);
        RecordBatch.Column keys = config.keys() ? new RecordBatch.Column(count, keyBytes) : null;
        long[] offsets = new long[count];
        long[] timestamps = new long[count];
        for (int i = 0; i < count; i++) {
            ConsumerRecord<ByteBuffer, ByteBuffer> consumed = records.get(i);
            values.set(i, consumed.value());
            if (keys != null) {
                keys.set(i, consumed.key());
            }
            offsets[i] = consumed.offset();
            timestamps[i] = consumed.timestamp();
        }
        long from = partition.next >= 0 ? partition.next : offsets[0];
        return new RecordBatch(partition.id, from, to, values, keys, offsets, timestamps);
    }

    /** Tells how far the partitions are, and whether the broker answers. */
    private void note() {
        long now = System.nanoTime();
        if (now - noted <= NOTE_NANOS) {
            return;
        }
        noted = now;
        double seen = fetches == null ? fetchesSeen + 1 : (double) fetches.metricValue();
        boolean answered = seen != fetchesSeen;
        fetchesSeen = seen;
        partitions.values().forEach(partition -> note(partition, answered));
        if (answered || partitions.values().stream().allMatch(AssignedPartition::isFull)) {
            answeredAt = now;
        }
    }

    private void note(AssignedPartition partition, boolean answered) {
        OptionalLong lag = consumer.currentLag(partition.id);
        partition.unfetched = lag.orElse(-1);
        if (lag.isPresent()) {
            notePosition(partition);
        }
        if (answered) {
            partition.answers++;
        }
    }

    private void notePosition(AssignedPartition partition) {
        try {
            partition.position = consumer.position(partition.id, Duration.ZERO);
        } catch (TimeoutException e) {
            // It is just being validated with a new leader, and is told the next time.
        }
    }

    /** Counts the answers to fetches: Kafka's consumer tells in no other way whether a broker says nothing or has nothing to say. */
    private static Metric fetches(Consumer<?, ?> of) {
        return of.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("fetch-total"))
                .map(Map.Entry::getValue)
                .findAny()
                .orElse(null);
    }

    private void outOfRange(TopicPartition id, long offset) {
        AssignedPartition partition = partitions.get(id);
        if (partition == null) {
            return;
        }
        String what = "offset " + offset + " of " + id
                + " is not in the log (deleted by retention, or the topic was made anew)";
        if (config.outOfRange() == OutOfRange.FAIL) {
            fail(List.of(partition), what + "; say where to start, or allow earliest or latest");
            return;
        }
        boolean earliest = config.outOfRange() == OutOfRange.EARLIEST;
        partition.position = -1;
        partition.next = earliest ? KafkaReader.EARLIEST : KafkaReader.LATEST;
        partition.put(new ReaderEvent.Reset(
                id, offset, partition.next, what + "; reading goes on at the " + (earliest ? "oldest record" : "end")));
        seek(partition);
    }

    private void failAll(Throwable e) {
        fail(
                List.copyOf(partitions.values()),
                "cannot be read from broker " + broker + ": " + e,
                e instanceof AuthorizationException);
    }

    private void fail(List<AssignedPartition> failed, String message) {
        fail(failed, message, false);
    }

    private void fail(List<AssignedPartition> failed, String message, boolean refused) {
        for (AssignedPartition partition : failed) {
            partitions.remove(partition.id);
            String named = message.contains(partition.id.toString()) ? message : partition.id + " " + message;
            partition.put(new ReaderEvent.Failed(partition.id, partition.next, named, refused));
        }
        if (!closed) {
            reassign();
        }
    }

    /**
     * Kafka names the partition of what it cannot read, such as a record that is damaged, only in words; it is the only one that
     * fails. What names none is tried again.
     */
    private void trouble(KafkaException e) {
        List<AssignedPartition> named = new ArrayList<>(partitions.values());
        named.removeIf(partition -> !String.valueOf(e.getMessage()).matches(".*\\b" + partition.id + "\\b.*"));
        if (named.isEmpty()) {
            LOG.warn("Trouble with Kafka's broker {}, trying again: {}", broker, e.toString());
            pause();
        } else {
            for (AssignedPartition partition : named) {
                fail(
                        List.of(partition),
                        partition.id + " cannot be read at offset " + partition.next + " or after: " + e.getMessage()
                                + "; to skip a damaged record, stop the group and set its offset behind the record"
                                + " (kafka-consumer-groups.sh --reset-offsets)");
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }
}
