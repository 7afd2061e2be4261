package io.updraft.pipeline.kafka;

import io.updraft.kafka.sink.RecordRefusals;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.ArrayList;
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
 * Writes results to a topic with a producer of its own. The producer is idempotent, so its own retries cause no duplicates.
 * With a transactional id, all writes between two flushes become visible at once to readers of committed records. The source
 * stores the positions, so a crash between the two makes a later run write results again.
 */
final class KafkaSink implements ResultSink {

    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final KafkaSinkOptions options;
    /** The first failure of a record of the current producer. */
    private AtomicReference<Exception> failed = new AtomicReference<>();

    private Producer<byte[], byte[]> producer;
    private KafkaRecordText text;
    /** The results since the last flush. */
    private final List<WindowResult> results = new ArrayList<>();

    private RecordRefusals refusals;
    private long sent;
    private boolean inTransaction;
    /** The broker has not answered a request to commit. Its outcome must be known before anything else is written. */
    private boolean inDoubt;

    KafkaSink(KafkaSinkOptions options) {
        this.options = options;
    }

    @Override
    public String where() {
        return KafkaSinkOptions.where(options.client(), options.topic());
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        text = new KafkaRecordText(options.format(), columns, dimensions);
        clear();
        try {
            KafkaSinkOptions.check(options.client(), options.topic());
        } catch (KafkaException e) {
            throw failure("cannot use", e);
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
            disconnect(Duration.ZERO);
            throw failure("cannot use", e);
        }
        failed.set(null);
    }

    @Override
    public void write(WindowResult result, String share) throws SinkException {
        if (failed.get() != null || inDoubt) {
            return; // In doubt, the result is one that was written before.
        }
        results.add(result);
        try {
            connect();
            begin();
            result.forEach(row -> send(result, row));
        } catch (KafkaException | IllegalStateException e) {
            // Earlier records may be lost too: the flush fails, and the caller writes all results again.
            failed.compareAndSet(null, e);
        }
    }

    private void begin() {
        if (options.transactionalId() != null && !inTransaction) {
            producer.beginTransaction();
            inTransaction = true;
        }
    }

    private void send(WindowResult result, RecordRow row) {
        if (failed.get() != null) {
            return; // The other records would time out as well.
        }
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                options.topic(),
                text.partition(),
                Math.max(0, result.window().start()),
                text.key(row),
                text.value(result.window(), row));
        long number = sent++;
        int bytes = RecordRefusals.bytes(record);
        // The records of a closed producer fail too, which says nothing about those of the next one.
        RecordRefusals refusedNow = refusals;
        AtomicReference<Exception> failedNow = failed;
        producer.send(record, (metadata, failure) -> {
            if (failure != null && RecordRefusals.isRefusal(failure)) {
                refusedNow.add(number, bytes, failure);
            } else if (failure != null) {
                failedNow.compareAndSet(null, failure);
            }
        });
    }

    @Override
    public boolean flush(List<PartitionPosition> commits) throws SinkException {
        try {
            if (producer != null && failed.get() == null) {
                producer.flush();
                if (refusals.isEmpty()) {
                    commit();
                }
            }
        } catch (KafkaException | IllegalStateException e) {
            failed.compareAndSet(null, e);
        }
        Exception failure = failed.getAndSet(null);
        if (!refusals.isEmpty()) {
            throw refused();
        }
        clear();
        if (failure != null) {
            disconnect(Duration.ZERO);
            throw failure("cannot write to", failure);
        }
        return false;
    }

    /** Drops the transaction, and returns the exception that names the refused rows. */
    private SinkException refused() {
        List<RefusedRow> rows = new KafkaRefusedRows(refusals, text).of(results);
        clear();
        disconnect(Duration.ZERO);
        return SinkException.refused(rows, where(), null);
    }

    private void clear() {
        results.clear();
        refusals = new RecordRefusals(options.client(), options.transactionalId() != null);
        sent = 0;
    }

    /** Commits the transaction. After a timeout only a repeated request shows whether the broker has committed. */
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
            throw failure("no answer yet about the commit to", e);
        } catch (KafkaException | IllegalStateException e) {
            if (inDoubt) {
                inDoubt = false;
                disconnect(Duration.ZERO);
                throw SinkException.of(false, "unknown whether the results were committed to " + where(), e);
            }
            throw e;
        }
    }

    private SinkException failure(String action, Exception cause) {
        boolean passing = cause instanceof RetriableException && !(cause instanceof ProducerFencedException);
        return SinkException.of(passing, action + " " + where(), cause);
    }

    /** Drops the producer, which may be unusable. The next write creates a new one, which aborts an open transaction. */
    private void disconnect(Duration limit) {
        inTransaction = false;
        if (producer != null) {
            producer.close(limit);
            producer = null;
        }
        failed = new AtomicReference<>();
    }

    /** Closes the producer. Does not wait for the outcome of a commit in doubt. */
    @Override
    public void close() {
        disconnect(inDoubt ? Duration.ZERO : CLOSE);
    }
}
