package io.updraft.kafka.sink;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.FencedException;
import io.updraft.kafka.units.UnitCommit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exactly once: results and positions in one Kafka transaction, which a process that no longer owns the units cannot
 * commit.
 *
 * <p>A transaction that is aborted for a passing reason (the group is being rebalanced, a broker is away, the transaction
 * timed out) is made again, after asking the coordinator anew whether the units are still owned. A
 * producer that was fenced is replaced: that it was fenced says that somebody took this process for dead, which only the
 * coordinator can tell true from false. So is a producer of an earlier life, although nobody may ever fence it: who takes
 * over from this life fences this life's producer.
 *
 * <p>A transaction may take as long as the patience lasts, and longer once there were results that took longer although the brokers took
 * them all the time: see {@link TransactionTime}.
 */
public final class TransactionalWriter implements ResultWriter {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final WriterSettings settings;
    private final Coordinator coordinator;
    private final Function<Map<String, Object>, Producer<byte[], byte[]>> producers;
    private final TransactionTime time;
    private Producer<byte[], byte[]> producer;
    /** The {@code transactional.id} of the producer. */
    private String openAs;
    /** What was sent in the transaction that is open; null until it is. */
    private Transmission transmission;
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
        this.time = new TransactionTime(settings.transactionTime());
    }

    @Override
    public void commit(Results results, List<UnitCommit> units) {
        long deadline = System.nanoTime() + settings.patience().toNanos();
        refusals = 0;
        if (inDoubt) {
            resolve(deadline);
            return;
        }
        boolean committed = false;
        while (!committed) {
            committed = tryToCommit(results, units, deadline);
        }
    }

    /** False: it was aborted, and may be tried again. */
    private boolean tryToCommit(Results results, List<UnitCommit> units, long deadline) {
        try {
            begin();
            results.forEach(transmission::send);
            transmission.await(time.get());
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
            abort();
            throw e;
        } catch (InterruptException e) {
            if (!inDoubt) {
                abort();
            }
            throw e;
        } catch (KafkaException e) {
            if (inDoubt) {
                throw unknown(e);
            }
            // Before it is aborted: what is on its way may be acknowledged until then.
            boolean tooSlow = isTooSlow(rootOf(e));
            abort();
            sortOut(e, tooSlow, deadline);
            return false;
        }
    }

    private void begin() {
        transmission = null;
        if (producer == null) {
            open();
        }
        transmission = new Transmission(producer, settings.patience());
        producer.beginTransaction();
    }

    private void open() {
        openAs = coordinator.transactionalId();
        Map<String, Object> properties = new HashMap<>(settings.transactionalProperties(time.get()));
        properties.put("transactional.id", openAs);
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

    /** All results are acknowledged: it is the commit alone that may time out here. Then it may have happened, and can only be repeated. */
    private void commitTransaction(long deadline) {
        while (true) {
            try {
                producer.commitTransaction();
                inDoubt = false;
                return;
            } catch (InterruptException e) {
                inDoubt = true;
                throw e;
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
    }

    /** What was not answered for a while is refused now: it may have happened before that. */
    private WriteException unknown(KafkaException e) {
        inDoubt = false;
        replaceProducer();
        return new WriteException("It is not known whether Kafka has committed: " + e.getMessage(), Remedy.REJOIN, e);
    }

    private void sortOut(KafkaException e, boolean tooSlow, long deadline) {
        Throwable cause = rootOf(e);
        if (cause instanceof RecordTooLargeException
                || cause instanceof InvalidTopicException
                || cause instanceof AuthorizationException) {
            throw new WriteException("Kafka refuses the results: " + cause.getMessage(), Remedy.GIVE_UP, e);
        }
        if (cause instanceof InvalidTxnTimeoutException) {
            takeLess(e);
        } else if (tooSlow) {
            takeMore(e);
        } else if (System.nanoTime() - deadline > 0) {
            throw new WriteException(
                    "The results could not be committed for " + settings.patience() + ": " + cause.getMessage(),
                    Remedy.TRY_AGAIN,
                    e);
        } else {
            LOG.info("A transaction was aborted, trying again: {}", cause.toString());
        }
        if (cause instanceof CommitFailedException) {
            Pauses.untilTheGroupIsKnownAgain(++refusals);
        }
    }

    /** Whether the brokers have taken results all the time, and were not done when the time of the transaction was over. */
    private boolean isTooSlow(Throwable cause) {
        return transmission != null
                && transmission.isFlowing()
                && (cause instanceof TimeoutException || transmission.age().compareTo(time.get()) >= 0);
    }

    private void takeMore(KafkaException e) {
        String what =
                transmission.sent() + " results took longer than " + time.get().toSeconds() + " s";
        if (!time.grow()) {
            throw new WriteException(
                    what + ", which is how long a transaction may take ('transaction.max.timeout.ms' of the brokers)",
                    Remedy.GIVE_UP,
                    e);
        }
        LOG.warn(
                "{}: they are written again, and may take {} s",
                what,
                time.get().toSeconds());
        replaceProducer();
    }

    private void takeLess(KafkaException e) {
        String what = "The brokers refuse transactions of " + time.get().toSeconds() + " s";
        if (!time.shrink()) {
            throw new WriteException(what, Remedy.GIVE_UP, e);
        }
        LOG.info("{}, trying {} s", what, time.get().toSeconds());
    }

    private static Throwable rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() instanceof KafkaException && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    private void abort() {
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
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    /** Of a commit that is in doubt nobody here will ask any more: it is not waited for. */
    @Override
    public void close() {
        if (producer != null) {
            producer.close(inDoubt ? Duration.ZERO : CLOSE);
            producer = null;
        }
    }
}
