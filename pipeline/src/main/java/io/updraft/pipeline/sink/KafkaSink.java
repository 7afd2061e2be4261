package io.updraft.pipeline.sink;

import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Results in a topic, by a producer of its own: idempotent, so that its own repetitions leave no doubles; with a transactional id
 * all that was written between two flushes appears at once, to who reads what is committed. Positions are left to the source, so a
 * crash between the two writes results again.
 */
final class KafkaSink implements Sink {

    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final KafkaSinkOptions options;
    private final AtomicReference<Exception> failed = new AtomicReference<>();
    private Producer<byte[], byte[]> producer;
    private KafkaText text;
    private boolean inTransaction;
    /** The broker has been asked to commit and has not answered: whether it has is found out before anything else is written. */
    private boolean inDoubt;

    KafkaSink(KafkaSinkOptions options) {
        this.options = options;
    }

    @Override
    public String where() {
        return KafkaTopic.where(options.client(), options.topic());
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        text = new KafkaText(options.format(), columns, dimensions);
        try {
            KafkaTopic.check(options.client(), options.topic());
        } catch (KafkaException e) {
            throw trouble("cannot use", e);
        }
        connect();
    }

    private void connect() throws SinkException {
        if (producer != null) {
            return;
        }
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, "262144");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        settings.putAll(options.client());
        if (options.transactionalId() != null) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, options.transactionalId());
        }
        try {
            producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
            if (options.transactionalId() != null) {
                producer.initTransactions();
            }
        } catch (KafkaException e) {
            disconnect();
            throw trouble("cannot use", e);
        }
        failed.set(null);
    }

    @Override
    public void write(WindowResult result, String unit) throws SinkException {
        if (failed.get() != null || inDoubt) {
            return; // In doubt, it is the same that was written before.
        }
        try {
            connect();
            begin();
            result.forEach(row -> send(result, row));
        } catch (KafkaException | IllegalStateException e) {
            // What was sent before is in doubt too: the caller learns it from the flush, and writes all again.
            failed.compareAndSet(null, e);
        }
    }

    private void begin() {
        if (options.transactionalId() != null && !inTransaction) {
            producer.beginTransaction();
            inTransaction = true;
        }
    }

    private void send(WindowResult result, Row row) {
        if (failed.get() != null) {
            return; // The others would wait as long for the same.
        }
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                options.topic(),
                text.partition(),
                Math.max(0, result.window().start()),
                text.key(row),
                text.value(result.window(), row));
        producer.send(record, (metadata, failure) -> {
            if (failure != null) {
                failed.compareAndSet(null, failure);
            }
        });
    }

    @Override
    public boolean flush(List<Commit> commits) throws SinkException {
        try {
            if (producer != null && failed.get() == null) {
                producer.flush();
                commit();
            }
        } catch (KafkaException | IllegalStateException e) {
            failed.compareAndSet(null, e);
        }
        Exception failure = failed.getAndSet(null);
        if (failure != null) {
            abandon();
            throw trouble("cannot write to", failure);
        }
        return false;
    }

    /** All that was sent is acknowledged: what times out here may have been committed all the same, and can only be asked for again. */
    private void commit() throws SinkException {
        if (!inTransaction || failed.get() != null) {
            return;
        }
        try {
            producer.commitTransaction();
            inTransaction = false;
            inDoubt = false;
        } catch (TimeoutException e) {
            inDoubt = true;
            throw trouble("no word yet of the commit to", e);
        } catch (KafkaException | IllegalStateException e) {
            if (inDoubt) {
                inDoubt = false;
                abandon();
                throw SinkException.lasting(message("it is not known whether it was committed to", e), e);
            }
            throw e;
        }
    }

    /** The next write begins with a producer of its own; this one may be beyond repair. An open transaction is aborted by it. */
    private void abandon() {
        inTransaction = false;
        disconnect();
    }

    static String oneLine(Exception cause) {
        return String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    private SinkException trouble(String what, Exception cause) {
        boolean passing = cause instanceof RetriableException && !(cause instanceof ProducerFencedException);
        return passing
                ? SinkException.passing(message(what, cause), cause)
                : SinkException.lasting(message(what, cause), cause);
    }

    private String message(String what, Exception cause) {
        return what + " " + where() + ": " + oneLine(cause);
    }

    private void disconnect() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    /** Nobody here will ask any more for a commit that is in doubt: it is not waited for. */
    @Override
    public void close() {
        inTransaction = false;
        if (producer != null) {
            producer.close(inDoubt ? Duration.ZERO : CLOSE);
            producer = null;
        }
    }
}
