package io.updraft.kafka.sink;

import io.updraft.kafka.share.FencedException;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes exactly once: results and positions are in one Kafka transaction. A process that no longer owns the shares cannot
 * commit it.
 *
 * <p>A transaction that is aborted for a passing reason (the group rebalances, a broker does not answer, the transaction timed out) is
 * repeated. The writer first asks the coordinator whether the shares are still owned. A fenced producer is replaced: some
 * process took this one for dead, and only the coordinator can tell whether that is true. A producer of an earlier life of the
 * process is also replaced. The next owner fences the producer of the current life only, and would never fence that producer.
 *
 * <p>A writer keeps no results: it requests them again when they must be sent again. Not thread-safe: one thread at a time.
 *
 * <p>A transaction may take as long as {@link WriterSettings#patience}. It may take longer after results took longer although the brokers kept
 * acknowledging them: see {@code TransactionTimeout}.
 */
public final class TransactionalWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);
    private static final Duration CLOSE = Duration.ofSeconds(10);

    /** The results of one commit. */
    @FunctionalInterface
    public interface Results {

        /**
         * Passes each result to {@code to}, each time that the results are sent. It must pass the same results each time.
         *
         * @param to receives the results; may throw Kafka's exceptions, which must be passed on
         */
        void forEach(Consumer<ProducerRecord<byte[], byte[]>> to);
    }

    private final WriterSettings settings;
    private final ShareCoordinator coordinator;
    private final Function<Map<String, Object>, Producer<byte[], byte[]>> producers;
    private final TransactionTimeout time;
    private Producer<byte[], byte[]> producer;
    private String transactionalId;
    /** The records sent in the open transaction; null if none is open. */
    private RecordTransmission transmission;

    private RecordRefusals refused;
    /** Whether the last commit got no answer. Its outcome must be found out before anything else. */
    private boolean inDoubt;
    /** How often the group has refused the positions of the current commit. */
    private int refusals;

    /** Creates a writer. It opens its own connection with the first record. */
    public TransactionalWriter(WriterSettings settings, ShareCoordinator coordinator) {
        this(settings, coordinator, KafkaProducer::new);
    }

    TransactionalWriter(
            WriterSettings settings,
            ShareCoordinator coordinator,
            Function<Map<String, Object>, Producer<byte[], byte[]>> producers) {
        this.settings = settings;
        this.coordinator = coordinator;
        this.producers = producers;
        this.time = new TransactionTimeout(settings.transactionTime());
    }

    /**
     * Writes results and makes them durable, together with the positions of their shares. Retries passing failures until the
     * patience is used up.
     *
     * @param shares the positions and metadata of the shares that the results come from
     * @throws FencedException if one of the shares is no longer owned. Nothing was written; the results of other shares may be
     *     committed without it
     * @throws WriteException if the commit failed for another reason
     */
    public void commit(Results results, List<Share.Commit> shares) {
        long deadline = System.nanoTime() + settings.patience().toNanos();
        refusals = 0;
        if (inDoubt) {
            resolve(deadline);
            return;
        }
        boolean committed = false;
        while (!committed) {
            committed = tryToCommit(results, shares, deadline);
        }
    }

    /** Returns false if the transaction was aborted and may be tried again. */
    private boolean tryToCommit(Results results, List<Share.Commit> shares, long deadline) {
        try {
            begin();
            results.forEach(transmission::send);
            transmission.await(time.get());
            if (!shares.isEmpty()) {
                // After the producer was opened: an ownership that ends later then fences this producer or this commit.
                ShareCoordinator.TransactionOffsets offsets = coordinator.transactionOffsets(shares);
                if (!offsets.transactionalId().equals(transactionalId)) {
                    replaceProducer(offsets.transactionalId());
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
            // Before the abort: records in flight may be acknowledged until then.
            boolean tooSlow = isTooSlow(rootOf(e));
            abort();
            if (refused != null && !refused.isEmpty()) {
                throw WriteException.refused(refused, rootOf(e));
            }
            handleFailure(e, tooSlow, deadline);
            return false;
        }
    }

    private void begin() {
        transmission = null;
        refused = null;
        if (producer == null) {
            open();
        }
        refused = new RecordRefusals(settings.properties(), true);
        transmission = new RecordTransmission(producer, refused, settings.patience());
        producer.beginTransaction();
    }

    private void open() {
        transactionalId = coordinator.transactionalId();
        Map<String, Object> properties = new HashMap<>(settings.transactionalProperties(time.get()));
        properties.put("transactional.id", transactionalId);
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

    /**
     * Commits the transaction. All results are acknowledged by now, so only the commit can time out. It may have taken effect
     * then, and can only be repeated.
     */
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
                            "Kafka has not answered for " + settings.patience().toSeconds()
                                    + " s whether the transaction was committed",
                            WriteException.Remedy.ASK_AGAIN,
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

    /** Creates the exception for a commit that got no answer at first and is now refused. It may have taken effect before. */
    private WriteException unknown(KafkaException e) {
        inDoubt = false;
        replaceProducer();
        return new WriteException(
                "it is unknown whether Kafka has committed: " + e.getMessage(), WriteException.Remedy.REJOIN, e);
    }

    private void handleFailure(KafkaException e, boolean tooSlow, long deadline) {
        Throwable cause = rootOf(e);
        if (cause instanceof InvalidTopicException || cause instanceof AuthorizationException) {
            throw new WriteException(
                    "Kafka refuses the results: " + cause.getMessage(), WriteException.Remedy.GIVE_UP, e);
        }
        if (cause instanceof InvalidTxnTimeoutException) {
            shrinkTimeout(e);
        } else if (tooSlow) {
            growTimeout(e);
        } else if (System.nanoTime() - deadline > 0) {
            throw new WriteException(
                    "the results could not be committed within " + settings.patience() + ": " + cause.getMessage(),
                    WriteException.Remedy.TRY_AGAIN,
                    e);
        } else {
            LOG.info("a transaction was aborted; retrying: {}", cause.toString());
        }
        if (cause instanceof CommitFailedException) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis(++refusals)));
        }
    }

    /**
     * Returns how long to pause until the group's generation may be known again. The coordinator's thread needs a turn or two to
     * learn the generation that the broker already has. A rebalance that waits for a dead process takes as long as the session
     * of that process. All results are sent again after each pause, so each pause is longer than the one before.
     *
     * @param refusals the number of refusals in a row, at least 1
     */
    static long pauseMillis(int refusals) {
        return Math.min(320, 20L << Math.min(refusals - 1, 10));
    }

    /** Returns whether the transaction timed out although the brokers kept acknowledging results. */
    private boolean isTooSlow(Throwable cause) {
        return transmission != null
                && transmission.isFlowing()
                && (cause instanceof TimeoutException || transmission.age().compareTo(time.get()) >= 0);
    }

    private void growTimeout(KafkaException e) {
        String problem =
                transmission.sent() + " results took longer than " + time.get().toSeconds() + " s";
        if (!time.grow()) {
            throw new WriteException(
                    problem + ", the limit for a transaction: raise 'transaction.max.timeout.ms' of the brokers",
                    WriteException.Remedy.GIVE_UP,
                    e);
        }
        LOG.warn(
                "{}: they are written again with a transaction timeout of {} s",
                problem,
                time.get().toSeconds());
        replaceProducer();
    }

    private void shrinkTimeout(KafkaException e) {
        String problem = "The brokers refuse transactions of " + time.get().toSeconds() + " s";
        if (!time.shrink()) {
            throw new WriteException(problem, WriteException.Remedy.GIVE_UP, e);
        }
        LOG.info("{}; retrying with {} s", problem, time.get().toSeconds());
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
            // Fenced, or in a state that only a new producer clears: its start aborts the transaction left open.
            replaceProducer();
        }
    }

    private void replaceProducer(String id) {
        LOG.info("the transactional.id is now {}, it was {}", id, transactionalId);
        abort();
        replaceProducer();
    }

    private void replaceProducer() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    /** Closes the producer. Does not wait for a commit whose outcome is unknown, as nothing uses that outcome any more. */
    @Override
    public void close() {
        if (producer != null) {
            producer.close(inDoubt ? Duration.ZERO : CLOSE);
            producer = null;
        }
    }

    /**
     * The timeout of transactions. It is short at first: after a process dies, readers of committed records wait until its
     * transaction times out. When results take longer, the timeout grows, up to the limit of the brokers.
     */
    private static final class TransactionTimeout {

        /** The brokers' default limit ({@code transaction.max.timeout.ms}). */
        private static final Duration LONGEST = Duration.ofMinutes(15);

        private static final int FACTOR = 4;
        private static final Duration SHORTEST = Duration.ofSeconds(1);

        private Duration time;
        private Duration longest = LONGEST;

        TransactionTimeout(Duration first) {
            time = first;
        }

        Duration get() {
            return time;
        }

        /** Increases the timeout. Returns false if it is at its limit already. */
        boolean grow() {
            Duration longer = time.multipliedBy(FACTOR);
            Duration next = longer.compareTo(longest) < 0 ? longer : longest;
            boolean grows = next.compareTo(time) > 0;
            time = grows ? next : time;
            return grows;
        }

        /** Halves the timeout after the brokers refused it. Returns false if the result is too short. */
        boolean shrink() {
            longest = time.dividedBy(2);
            time = longest;
            return time.compareTo(SHORTEST) >= 0;
        }
    }
}
