package io.updraft.pipeline.sink;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Records that are put aside, in a topic of Kafka. What the brokers do not take in time is counted as dropped. */
final class TopicRecordSink implements RecordSink {

    /** For metadata and room in the buffer. */
    private static final String MAX_BLOCK_MILLIS = "10000";
    /** After that has not been enough, nothing is tried for so long: the run must not wait once for each bad record. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final RecordSinkOptions.Topic options;
    private final RecordCounts counts = new RecordCounts();
    private Producer<byte[], byte[]> producer;
    private boolean failed;
    private volatile boolean paused;
    private volatile long pausedAt;

    TopicRecordSink(RecordSinkOptions.Topic options) {
        this.options = options;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (producer == null && !failed) {
            Map<String, Object> settings = new HashMap<>(options.client());
            settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
            settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "20");
            settings.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, MAX_BLOCK_MILLIS);
            settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");
            try {
                producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
            } catch (KafkaException e) {
                failed = true;
                counts.trouble(where(), e);
            }
        }
        return producer;
    }

    private String where() {
        return "topic " + options.topic();
    }

    @Override
    public void accept(String unit, long position, String reason, byte[] bytes, int from, int length) {
        counts.accept();
        Producer<byte[], byte[]> open = producer();
        if (open == null || paused && System.nanoTime() - pausedAt < PAUSE_NANOS) {
            counts.lose(1);
            return;
        }
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(options.topic(), Arrays.copyOfRange(bytes, from, from + length));
        record.headers()
                .add("unit", unit.getBytes(StandardCharsets.UTF_8))
                .add("position", Long.toString(position).getBytes(StandardCharsets.US_ASCII))
                .add("reason", reason.getBytes(StandardCharsets.UTF_8));
        send(open, record);
    }

    private void send(Producer<byte[], byte[]> open, ProducerRecord<byte[], byte[]> record) {
        try {
            open.send(record, (metadata, failure) -> {
                if (failure != null) {
                    counts.drop(where(), failure);
                    pausedAt = System.nanoTime();
                    paused = paused || failure instanceof TimeoutException;
                } else {
                    paused = false;
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            counts.drop(where(), e);
        }
    }

    @Override
    public void flush() {
        Producer<byte[], byte[]> open = producer();
        if (open != null) {
            open.flush();
        }
    }

    @Override
    public long accepted() {
        return counts.accepted();
    }

    @Override
    public long dropped() {
        return counts.dropped();
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close(CLOSE);
        }
    }
}
