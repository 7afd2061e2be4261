package io.updraft.kafka.sink;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.FencedException;
import io.updraft.kafka.units.UnitCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exactly once: results and positions in one Kafka transaction, which a process that no longer owns the units cannot
 * commit.
 *
 * <p>A transaction that is aborted for a passing reason (the group is being rebalanced, a broker is away, the transaction
 * timed out) is made again from what was kept, after asking the coordinator anew whether the units are still owned. A
 * producer that was fenced is replaced: that it was fenced says that somebody took this process for dead, which only the
 * coordinator can tell true from false. So is a producer of an earlier life, although nobody may ever fence it: who takes
 * over from this life fences this life's producer.
 */
public final class TransactionalWriter implements ResultWriter {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);

    private final WriterSettings settings;
    private final Coordinator coordinator;
    private final Function<Map<String, Object>, Producer<byte[], byte[]>> producers;
    private final List<ProducerRecord<byte[], byte[]>> written = new ArrayList<>();
    private Producer<byte[], byte[]> producer;
    /** The {@code transactional.id} of the producer. */
    private String openAs;
    /** What was written is in the open transaction; if not, all of it is sent by the next commit. */
    private boolean sending;
    /** The last commit was not answered; whether it has happened is to be found out before all else. */
    private boolean inDoubt;
    /** How often the group has refused the positions of the commit that is on. */
    private int refusals;

    /**
     * A writer with a connection of its own, made with the first record.
     *
     * @param settings how to write
     * @param coordinator says which offsets the transaction gets, and as whom
     */
    public TransactionalWriter(WriterSettings settings, Coordinator coordinator) {
        this(settings, coordinator, KafkaProducer::new);
    }

    TransactionalWriter(
            WriterSettings settings,
            Coordinator coordinator,
            Function<Map<String, Object>, Producer<byte[], byte[]>> producers) {
        this.settings = settings;
        this.coordinator = coordinator;
        this.producers = producers;
    }

    @Override
    public void write(String topic, int partition, byte[] key, byte[] value) {
        ProducerRecord<byte[], byte[]> record = Records.of(topic, partition, key, value);
        boolean first = written.isEmpty();
        written.add(record);
        if (first || sending) {
            try {
                sendEarly(first, record);
            } catch (KafkaException e) {
                // The commit finds out what it is, and sends all again if that may help.
                abort();
            }
        }
    }

    private void sendEarly(boolean first, ProducerRecord<byte[], byte[]> record) {
        if (first) {
            begin();
        }
        producer.send(record);
    }

    private void begin() {
        if (producer == null) {
            open();
        }
        producer.beginTransaction();
        sending = true;
    }

    private void open() {
        Map<String, Object> properties = new HashMap<>(settings.producerProperties());
        openAs = coordinator.transactionalId();
        properties.put("transactional.id", openAs);
        properties.putIfAbsent(
                "transaction.timeout.ms", Math.toIntExact(settings.patience().toMillis()));
        Producer<byte[], byte[]> opened = producers.apply(properties);
        try {
            opened.initTransactions();
            producer = opened;
        } finally {
            if (producer == null) {
                opened.close(Duration.ZERO);
            }
        }
    }

    @Override
    public void commit(List<UnitCommit> units) {
        if (units.isEmpty() && written.isEmpty()) {
            return;
        }
        long deadline = System.nanoTime() + settings.patience().toNanos();
        refusals = 0;
        if (inDoubt) {
            resolve(deadline);
            return;
        }
        while (!tryToCommit(units, deadline)) {
            LOG.debug("Writing {} results again in a new transaction", written.size());
        }
        written.clear();
        sending = false;
    }

    /** False: it was aborted, and may be tried again. */
    private boolean tryToCommit(List<UnitCommit> units, long deadline) {
        try {
            if (!sending) {
                begin();
                written.forEach(producer::send);
            }
            if (!units.isEmpty()) {
                // After the producer was opened: an ownership that ends later fences this very producer or this commit.
                Coordinator.TransactionOffsets offsets = coordinator.transactionOffsets(units);
                if (!offsets.transactionalId().equals(openAs)) {
                    beginAnew(offsets.transactionalId());
                    return false;
                }
                producer.sendOffsetsToTransaction(offsets.offsets(), offsets.group());
            }
            commitTransaction(deadline);
            return true;
        } catch (FencedException e) {
            discard();
            throw e;
        } catch (InterruptException e) {
            abort();
            throw e;
        } catch (KafkaException e) {
            if (inDoubt) {
                throw unknown(e);
            }
            abort();
            sortOut(e, deadline);
            return false;
        }
    }

    /** A commit that timed out may or may not have happened: it can only be repeated. */
    private void commitTransaction(long deadline) {
        while (true) {
            try {
                producer.commitTransaction();
                inDoubt = false;
                return;
            } catch (TimeoutException e) {
                inDoubt = true;
                if (System.nanoTime() - deadline > 0) {
                    throw new WriteException(
                            "Kafka has not said for " + settings.patience().toSeconds()
                                    + " s whether it has committed.",
                            Remedy.ASK_AGAIN,
                            e);
                }
            }
        }
    }

    private void resolve(long deadline) {
        try {
            commitTransaction(deadline);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            throw unknown(e);
        }
        written.clear();
        sending = false;
    }

    /** What was not answered for a while is refused now: it may have happened before that. */
    private WriteException unknown(KafkaException e) {
        inDoubt = false;
        replaceProducer();
        written.clear();
        return new WriteException("It is not known whether Kafka has committed: " + e.getMessage(), Remedy.REJOIN, e);
    }

    private void sortOut(KafkaException e, long deadline) {
        Throwable cause = rootOf(e);
        if (cause instanceof RecordTooLargeException
                || cause instanceof InvalidTopicException
                || cause instanceof AuthorizationException) {
            written.clear();
            throw new WriteException("Kafka refuses the results: " + cause.getMessage(), Remedy.REPLAY, e);
        }
        if (System.nanoTime() - deadline > 0) {
            throw new WriteException(
                    "The results could not be committed for " + settings.patience() + ": " + cause.getMessage(),
                    Remedy.TRY_AGAIN,
                    e);
        }
        LOG.info("A transaction of {} results was aborted, trying again: {}", written.size(), cause.toString());
        if (cause instanceof CommitFailedException) {
            Pauses.untilTheGroupIsKnownAgain(++refusals);
        }
    }

    private static Throwable rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() instanceof KafkaException && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    private void abort() {
        sending = false;
        if (producer == null) {
            return;
        }
        try {
            producer.abortTransaction();
        } catch (KafkaException | IllegalStateException e) {
            // Fenced, or in a state that only a new producer is free of: its own start aborts what is left open.
            replaceProducer();
        }
    }

    private void beginAnew(String id) {
        LOG.info("Writing as {} from now on, no more as {}", id, openAs);
        abort();
        replaceProducer();
    }

    private void replaceProducer() {
        sending = false;
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    @Override
    public void discard() {
        if (sending) {
            abort();
        }
        written.clear();
    }

    @Override
    public void close() {
        discard();
        if (producer != null) {
            producer.close();
        }
    }
}
