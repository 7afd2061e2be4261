package io.updraft.kafka.sink;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.FencedException;
import io.updraft.kafka.units.UnitCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * At least once: results are in Kafka before the positions that they come from are committed. The producer is idempotent,
 * so a lost answer makes no duplicate; a process that dies between results and commit does.
 */
public final class IdempotentWriter implements ResultWriter {

    private final Coordinator coordinator;
    private final Producer<byte[], byte[]> producer;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<ProducerRecord<byte[], byte[]>> written = new ArrayList<>();
    private boolean sendAgain;

    /**
     * A writer with a connection of its own.
     *
     * @param settings how to write
     * @param coordinator keeps the positions
     */
    public IdempotentWriter(WriterSettings settings, Coordinator coordinator) {
        this.coordinator = coordinator;
        this.producer = new KafkaProducer<>(settings.producerProperties());
    }

    @Override
    public void write(String topic, int partition, byte[] key, byte[] value) {
        ProducerRecord<byte[], byte[]> record = Records.of(topic, partition, key, value);
        written.add(record);
        if (!sendAgain) {
            send(record);
        }
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        producer.send(record, (metadata, e) -> {
            if (e != null) {
                failure.compareAndSet(null, e);
            }
        });
    }

    @Override
    public void commit(List<UnitCommit> units) {
        if (sendAgain) {
            written.forEach(this::send);
        }
        flush();
        Exception failed = failure.getAndSet(null);
        if (failed != null) {
            refuse(failed);
        }
        sendAgain = false;
        commitPositions(units);
        written.clear();
    }

    private void flush() {
        try {
            producer.flush();
        } catch (InterruptException e) {
            sendAgain = true;
            throw e;
        }
    }

    private void refuse(Exception failed) {
        boolean again = failed instanceof RetriableException;
        sendAgain = again;
        if (!again) {
            written.clear();
        }
        throw new WriteException(
                "Kafka did not take a result: " + failed.getMessage(),
                again ? Remedy.TRY_AGAIN : Remedy.REPLAY,
                failed);
    }

    private void commitPositions(List<UnitCommit> units) {
        if (units.isEmpty()) {
            return;
        }
        try {
            coordinator.commit(units).join();
        } catch (CompletionException e) {
            written.clear();
            if (e.getCause() instanceof FencedException fenced) {
                throw fenced;
            }
            // The results are there: only the positions need to be tried again.
            throw new WriteException(
                    "The positions were not committed: " + e.getCause().getMessage(), Remedy.TRY_AGAIN, e.getCause());
        }
    }

    @Override
    public void discard() {
        producer.flush();
        failure.set(null);
        written.clear();
        sendAgain = false;
    }

    @Override
    public void close() {
        producer.close();
    }
}
