package io.updraft.bench.aggregate.peer;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The loop of one thread of {@link BarePeer}. */
final class BareLoop {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The open window of one partition. All records of a group are in one partition, in the order of their times. */
    private static final class Window {
        private final BareTable table = new BareTable();
        private long start = Long.MIN_VALUE;
        private long end = Long.MIN_VALUE;
    }

    private final PeerJob job;
    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Window[] windows;
    private final BareRecord record = new BareRecord();
    private final Map<TopicPartition, OffsetAndMetadata> written = new HashMap<>();
    private long committed = System.nanoTime();
    private int results;

    BareLoop(
            PeerJob job,
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer,
            KafkaProducer<byte[], byte[]> producer,
            int partitions) {
        this.job = job;
        this.consumer = consumer;
        this.producer = producer;
        this.windows = new Window[job.partitions()];
    }

    void run() {
        while (true) {
            ConsumerRecords<ByteBuffer, ByteBuffer> records = consumer.poll(POLL);
            for (TopicPartition partition : records.partitions()) {
                add(partition, records.records(partition));
            }
            if (!written.isEmpty() && System.nanoTime() - committed > COMMIT_NANOS) {
                // Commits only offsets whose records are in written results: each is the offset at which the open
                // window begins.
                producer.flush();
                consumer.commitAsync(Map.copyOf(written), null);
                written.clear();
                committed = System.nanoTime();
            }
        }
    }

    private void add(TopicPartition partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
        Window window = windows[partition.partition()];
        if (window == null) {
            window = new Window();
            windows[partition.partition()] = window;
        }
        for (int i = 0; i < records.size(); i++) {
            ByteBuffer value = records.get(i).value();
            byte[] in = value.array();
            record.read(in, value.arrayOffset() + value.position());
            if (record.time >= window.end) {
                close(partition, window, records.get(i).offset());
            }
            window.table.add(in, record);
        }
    }

    private void close(TopicPartition partition, Window window, long offset) {
        window.table.take(
                window.start, result -> producer.send(new ProducerRecord<>(job.output(), results++ & 1, null, result)));
        window.start = Math.floorDiv(record.time, job.windowMillis()) * job.windowMillis();
        window.end = window.start + job.windowMillis();
        written.put(partition, new OffsetAndMetadata(offset));
    }
}
