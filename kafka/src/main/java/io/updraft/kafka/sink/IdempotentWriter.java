package io.updraft.kafka.sink;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.FencedException;
import io.updraft.kafka.units.UnitCommit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Writes at least once: results are stored in Kafka before the positions that they come from are committed. The producer is
 * idempotent, so a lost acknowledgement makes no duplicate. A process that dies between the results and the commit does make
 * duplicates.
 */
public final class IdempotentWriter implements ResultWriter {

    private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

    private final WriterSettings settings;
    private final Coordinator coordinator;
    private final Producer<byte[], byte[]> producer;
    /** Whether the results of the current commit are stored, so that a retry commits the positions only. */
    private boolean written;

    /** Creates a writer with its own connection. */
    public IdempotentWriter(WriterSettings settings, Coordinator coordinator) {
        this.settings = settings;
        this.coordinator = coordinator;
        this.producer = new KafkaProducer<>(settings.producerProperties());
    }

    @Override
    public void commit(Results results, List<UnitCommit> units) {
        if (!written) {
            write(results);
        }
        written = true;
        commitPositions(units);
        written = false;
    }

    private void write(Results results) {
        Transmission transmission = new Transmission(producer, settings.patience());
        try {
            results.forEach(transmission::send);
            transmission.await(NO_LIMIT);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            throw new WriteException(
                    "Kafka did not store a result: " + e.getMessage(),
                    e instanceof RetriableException ? Remedy.TRY_AGAIN : Remedy.GIVE_UP,
                    e);
        }
    }

    private void commitPositions(List<UnitCommit> units) {
        if (units.isEmpty()) {
            return;
        }
        try {
            coordinator.commit(units).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof FencedException fenced) {
                written = false;
                throw fenced;
            }
            throw new WriteException(
                    "The positions could not be committed: " + e.getCause().getMessage(),
                    Remedy.ASK_AGAIN,
                    e.getCause());
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
