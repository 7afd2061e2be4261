package io.updraft.kafka.reader;

import io.updraft.base.record.ByteColumn;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.kafka.reader.ReaderConfig.OutOfRange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the partitions that one broker leads. Its own thread owns the consumer and does everything, except {@link #add},
 * {@link #remove}, {@link #wake} and the methods that end it.
 */
final class BrokerReader implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerReader.class);

    /** How long a poll may wait for a fetch; orders interrupt the wait. */
    private static final Duration POLL = Duration.ofMillis(500);

    private static final long RETRY_MILLIS = 500;
    private static final Duration END_ANSWER = Duration.ofSeconds(5);

    private final int broker;
    private final ReaderConfig config;
    private final Map<String, Object> settings;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<TopicPartition, AssignedPartition> partitions = new HashMap<>();
    private final Thread thread;
    private volatile Consumer<ByteBuffer, ByteBuffer> consumer;
    private volatile boolean closed;

    private final FetchProgress progress = new FetchProgress();

    BrokerReader(int broker, String address, ReaderConfig config) {
        this.broker = broker;
        this.config = config;
        this.settings = KafkaClientSettings.ofReader(config, address);
        this.thread = DaemonThreads.create("updraft-kafka-broker-" + broker, this);
    }

    int broker() {
        return broker;
    }

    Duration silence() {
        return progress.silence();
    }

    /** Returns the longest time that a working broker takes to answer. */
    Duration requestTimeout() {
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

    /** Starts reading a partition from its {@code next} offset. Any thread. */
    void add(AssignedPartition partition) {
        execute(() -> {
            partitions.put(partition.id, partition);
            if (closed) {
                fail(List.of(partition), "cannot be read from broker " + broker + ": its reader thread has ended");
            } else {
                reassign();
                seek(partition);
            }
        });
    }

    /**
     * Stops reading a partition, and then runs {@code then}. Nothing is put into the partition's queue after that. Any thread.
     */
    void remove(AssignedPartition partition, Runnable then) {
        execute(() -> {
            if (partitions.remove(partition.id, partition) && !closed) {
                reassign();
            }
            then.run();
        });
    }

    /** Wakes the thread so that it sees new orders and new capacity. Any thread. */
    void wake() {
        Consumer<ByteBuffer, ByteBuffer> current = consumer;
        if (current != null) {
            current.wakeup();
        }
        LockSupport.unpark(thread);
    }

    private void execute(Runnable order) {
        commands.add(order);
        if (hasEnded()) {
            runCommands();
        } else {
            wake();
        }
    }

    /** Returns whether the thread has ended, or will not process orders any more. */
    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Requests the end of the thread. Returns immediately. Any thread. */
    void close() {
        closed = true;
        wake();
    }

    void awaitEnd(Duration limit) throws InterruptedException {
        ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void run() {
        try (Consumer<ByteBuffer, ByteBuffer> newConsumer = new KafkaConsumer<>(
                settings, new ByteBufferDeserializer(config.keys()), new ByteBufferDeserializer(true))) {
            consumer = newConsumer;
            progress.follow(newConsumer);
            while (!closed) {
                doWork();
            }
            newConsumer.close(CloseOptions.timeout(Duration.ZERO));
        } catch (RuntimeException | Error e) {
            closed = true;
            LOG.error("the reader of Kafka broker {} has failed: {}", broker, e.toString(), e);
            failAll(e);
        } finally {
            closed = true;
            ended.countDown();
            runCommands();
        }
    }

    private void doWork() {
        try {
            runCommands();
            if (partitions.isEmpty()) {
                // Kafka's consumer refuses to poll without partitions.
                progress.idle();
                LockSupport.parkNanos(this, POLL.toNanos());
                return;
            }
            pauseFullPartitions();
            ConsumerRecords<ByteBuffer, ByteBuffer> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                queueRecords(records);
            }
            progress.update(partitions.values());
        } catch (WakeupException orderOrCapacity) {
            // The next round processes the order or the capacity.
        } catch (LogTruncationException e) {
            e.offsetOutOfRangePartitions().forEach((id, offset) -> truncated(id, offset, e.divergentOffsets()));
        } catch (OffsetOutOfRangeException e) {
            e.offsetOutOfRangePartitions().forEach(this::outOfRange);
        } catch (TopicAuthorizationException e) {
            fail(
                    List.copyOf(partitions.values()).stream()
                            .filter(partition -> e.unauthorizedTopics().contains(partition.id.topic()))
                            .toList(),
                    "may not be read: " + e.getMessage() + "; grant the operation READ on the topic",
                    true);
        } catch (AuthorizationException e) {
            failAll(e);
        } catch (KafkaException e) {
            failOrRetry(e);
        }
    }

    /** Runs all orders. Once the thread has ended, the threads that give orders run them. */
    private synchronized void runCommands() {
        for (Runnable order = commands.poll(); order != null; order = commands.poll()) {
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

    private void pauseFullPartitions() {
        for (AssignedPartition partition : partitions.values()) {
            if (partition.becomesFull(config.queueBytes())) {
                consumer.pause(List.of(partition.id));
            }
            // Checked again after the mark was set: a take before that did not wake this thread.
            if (partition.becomesDrained(config.queueBytes())) {
                consumer.resume(List.of(partition.id));
            }
        }
    }

    private void queueRecords(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        Map<TopicPartition, OffsetAndMetadata> next = records.nextOffsets();
        for (TopicPartition id : records.partitions()) {
            AssignedPartition partition = partitions.get(id);
            if (partition != null && !partition.revoked) {
                List<ConsumerRecord<ByteBuffer, ByteBuffer>> list = records.records(id);
                KafkaChunk chunk = chunk(config, partition, list, next.get(id));
                partition.next = chunk.to();
                partition.put(chunk);
            }
        }
    }

    static KafkaChunk chunk(
            ReaderConfig config,
            AssignedPartition partition,
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> records,
            OffsetAndMetadata next) {
        int count = records.size();
        int valueBytes = 0;
        int keyBytes = 0;
        for (int i = 0; i < count; i++) {
            ConsumerRecord<ByteBuffer, ByteBuffer> consumed = records.get(i);
            valueBytes += Math.max(0, consumed.serializedValueSize());
            keyBytes += Math.max(0, consumed.serializedKeySize());
        }
        ByteColumn values = new ByteColumn(count, valueBytes);
        ByteColumn keys = config.keys() ? new ByteColumn(count, keyBytes) : null;
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
        int leaderEpoch = next.leaderEpoch().orElse(LogIdentity.NO_EPOCH);
        Map<String, ByteColumn> headers = new HashMap<>();
        config.headers().forEach(name -> headers.put(name, header(name, records)));
        return new KafkaChunk(partition, next.offset(), values, keys, headers, offsets, timestamps, leaderEpoch);
    }

    private static ByteColumn header(String name, List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
        byte[][] found = new byte[records.size()][];
        int length = 0;
        for (int i = 0; i < found.length; i++) {
            Header last = records.get(i).headers().lastHeader(name);
            found[i] = last == null ? null : last.value();
            length += found[i] == null ? 0 : found[i].length;
        }
        ByteColumn values = new ByteColumn(found.length, length);
        for (int i = 0; i < found.length; i++) {
            values.set(i, found[i] == null ? null : ByteBuffer.wrap(found[i]));
        }
        return values;
    }

    private void outOfRange(TopicPartition id, long offset) {
        AssignedPartition partition = partitions.get(id);
        if (partition == null) {
            return;
        }
        boolean cut = isBehindTheEnd(id, offset);
        String problem = "offset " + offset + " of " + id + " is not in the log ("
                + (cut ? "which ends before: it was cut, or the topic was recreated" : "deleted by retention") + ")";
        if (config.outOfRange() == OutOfRange.FAIL) {
            fail(List.of(partition), problem + "; set where to start, or continue at earliest or latest");
            return;
        }
        boolean earliest = config.outOfRange() == OutOfRange.EARLIEST;
        continueAt(
                partition,
                earliest ? KafkaReader.EARLIEST : KafkaReader.LATEST,
                offset,
                problem + "; resuming at the " + (earliest ? "oldest record" : "end"),
                cut);
    }

    /**
     * Returns whether the offset is behind the end of the log. Assumes retention, the usual cause, if the broker does not
     * answer.
     */
    private boolean isBehindTheEnd(TopicPartition id, long offset) {
        try {
            return consumer.endOffsets(List.of(id), END_ANSWER).get(id) < offset;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Handles a new leader whose records differ, from an offset on, from those that were read. */
    private void truncated(TopicPartition id, long offset, Map<TopicPartition, OffsetAndMetadata> divergent) {
        AssignedPartition partition = partitions.get(id);
        if (partition == null) {
            return;
        }
        long from = divergent.containsKey(id) ? divergent.get(id).offset() : KafkaReader.EARLIEST;
        String where = from < 0 ? "the oldest record" : "offset " + from;
        String problem = "the log of " + id + " was cut before offset " + offset
                + ", which was read (an unclean election" + " of a leader)";
        if (config.outOfRange() == OutOfRange.FAIL) {
            fail(List.of(partition), problem + "; its records differ from " + where + " on");
            return;
        }
        continueAt(partition, from, offset, problem + "; resuming at " + where, true);
    }

    private void continueAt(AssignedPartition partition, long from, long before, String message, boolean cut) {
        partition.position = -1;
        partition.next = from;
        partition.put(new ReaderEvent.Reset(partition.id, before, from, message, cut));
        seek(partition);
    }

    private void failAll(Throwable e) {
        Optional<String> library = NativeLibraries.reasonIn(e);
        fail(
                List.copyOf(partitions.values()),
                "cannot be read from broker " + broker + ": " + library.orElseGet(e::toString),
                library.isPresent() || e instanceof AuthorizationException);
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
     * Handles an exception of the consumer. Kafka names the partition of a damaged record only in the exception's message. Only
     * the named partition fails; an exception that names none is retried.
     */
    private void failOrRetry(KafkaException e) {
        List<AssignedPartition> named = new ArrayList<>(partitions.values());
        named.removeIf(partition -> !String.valueOf(e.getMessage()).matches(".*\\b" + partition.id + "\\b.*"));
        if (named.isEmpty()) {
            LOG.warn("reading from Kafka broker {} failed; retrying: {}", broker, e.toString());
            pause();
            return;
        }
        Optional<String> library = NativeLibraries.reasonIn(e);
        String reason = library.orElseGet(() -> e.getMessage()
                + "; to skip a damaged record, stop the group and set its offset behind the record"
                + " (kafka-consumer-groups.sh --reset-offsets)");
        for (AssignedPartition partition : named) {
            String message = partition.id + " cannot be read at offset " + partition.next + " or after: " + reason;
            fail(List.of(partition), message, library.isPresent());
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
