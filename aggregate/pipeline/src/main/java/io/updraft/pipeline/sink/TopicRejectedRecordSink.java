package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes late records or dead letters to a topic of Kafka. A flush sends them; each waits in memory until the brokers have
 * stored it. If an answer is lost, its record may be written twice. Records refused for good are counted as dropped.
 */
final class TopicRejectedRecordSink extends RejectedRecordSink {

    /** The limit for metadata and buffer room, and for an answer. */
    private static final String TIMEOUT_MILLIS = "10000";

    private static final Duration CLOSE = Duration.ofSeconds(10);

    /** Lasting failures. Any other failure may pass, if only with a new producer. */
    private static final List<Class<? extends Exception>> LASTING = List.of(
            RecordTooLargeException.class,
            InvalidRecordException.class,
            InvalidTopicException.class,
            AuthorizationException.class,
            AuthenticationException.class,
            UnsupportedVersionException.class);

    private final RejectedRecordSinkOptions.Topic options;
    /** Records that were accepted but not delivered; guarded by this object's lock. */
    private final Deque<ProducerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();

    private volatile long waitingBytes;

    /** Guards {@link #producer}: only one thread at a time flushes. */
    private final Object flushing = new Object();

    private Producer<byte[], byte[]> producer;

    TopicRejectedRecordSink(RejectedRecordSinkOptions.Topic options) {
        super(KafkaSinkOptions.where(options.client(), options.topic()));
        this.options = options;
    }

    @Override
    public void accept(String partition, long position, String reason, byte[] bytes, int from, int length) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(options.topic(), Arrays.copyOfRange(bytes, from, from + length));
        record.headers()
                .add("unit", partition.getBytes(StandardCharsets.UTF_8))
                .add("position", Long.toString(position).getBytes(StandardCharsets.US_ASCII))
                .add("reason", reason.getBytes(StandardCharsets.UTF_8));
        synchronized (waiting) {
            waiting.addLast(record);
            waitingBytes += size(record);
        }
    }

    private static long size(ProducerRecord<byte[], byte[]> record) {
        long size = record.value().length;
        for (var header : record.headers()) {
            size += header.value().length;
        }
        return size;
    }

    @Override
    public void flush() throws SinkException {
        synchronized (flushing) {
            List<ProducerRecord<byte[], byte[]>> batch = all();
            if (batch.isEmpty()) {
                return;
            }
            try {
                connect();
                deliver(batch);
            } catch (KafkaException e) {
                abandon();
                throw passing(e);
            }
        }
    }

    private List<ProducerRecord<byte[], byte[]>> all() {
        synchronized (waiting) {
            return List.copyOf(waiting);
        }
    }

    private void connect() {
        if (producer == null) {
            Map<String, Object> settings = new HashMap<>(options.client());
            settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT_MILLIS);
            settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "20");
            settings.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");
            producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        }
    }

    private void deliver(List<ProducerRecord<byte[], byte[]>> batch) throws SinkException {
        List<Future<RecordMetadata>> answers = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : batch) {
            Future<RecordMetadata> answer = producer.send(record);
            answers.add(answer);
            if (answer.isDone() && isPassing(failure(answer))) {
                break; // The other records would have to wait just as long.
            }
        }
        producer.flush();
        Exception passing = null;
        List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Exception failure = i < answers.size() ? failure(answers.get(i)) : passing;
            if (isPassing(failure)) {
                passing = failure;
                again.add(batch.get(i));
            } else if (failure != null) {
                drop(1, failure);
            }
        }
        keep(batch, again);
        if (passing != null) {
            abandon();
            throw passing(passing);
        }
    }

    private static Exception failure(Future<RecordMetadata> answer) {
        try {
            answer.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause() instanceof Exception cause ? cause : e;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static boolean isPassing(Exception failure) {
        return failure != null && LASTING.stream().noneMatch(each -> each.isInstance(failure));
    }

    /** Removes the batch from the head of the queue and puts back the records to send again. */
    private void keep(Collection<?> batch, List<ProducerRecord<byte[], byte[]>> again) {
        synchronized (waiting) {
            batch.forEach(record -> waitingBytes -= size(waiting.removeFirst()));
            for (int i = again.size() - 1; i >= 0; i--) {
                waiting.addFirst(again.get(i));
                waitingBytes += size(again.get(i));
            }
        }
    }

    private SinkException passing(Exception cause) {
        return SinkException.of(true, "cannot write to " + where(), cause);
    }

    /** Drops the producer, which may be unusable. The next flush creates a new one. */
    private void abandon() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    @Override
    public long waiting() {
        return waitingBytes;
    }

    @Override
    public void close() {
        try {
            flush();
        } catch (SinkException e) {
            drop(all().size(), e);
        }
        synchronized (flushing) {
            if (producer != null) {
                producer.close(CLOSE);
            }
        }
    }
}
