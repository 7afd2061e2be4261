package io.updraft.kafka.share;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns shares by Kafka's own group protocol, for one cluster.
 *
 * <p>The group's member is a consumer that fetches nothing. It subscribes to the first topic only, whose partitions represent
 * the shares. A share's partitions in other topics are assigned together with it. Positions and metadata are the group's
 * committed offsets, of all topics.
 *
 * <p>The protocol is the classic one with {@code CooperativeStickyAssignor}: balanced within one, sticky, and without
 * interruption for shares that stay. Kafka 4's new protocol ({@code group.protocol=consumer}) works too, but leaves the session
 * timeout to the broker, whose default takes at least 45 s to detect a dead process. With the classic protocol a client may
 * request 6 s, and less where {@code group.min.session.timeout.ms} is lower.
 *
 * <p>Fencing: the epoch of an ownership is the group's generation in which it began. This class checks a commit against the
 * owned shares, and the broker checks it against the group's generation. One of the two refuses a process that was away. The
 * next owner of the shares ends the transactions of dead processes ({@code TransactionalIds}). Until then, readers of committed
 * records see nothing that any process wrote after the start of such a transaction.
 */
public final class GroupCoordinator extends QueueingCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCoordinator.class);
    private static final Duration TURN = Duration.ofMillis(20);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** Ending a transaction takes some ten milliseconds; an abandoned one stays open. This timeout distinguishes them. */
    private static final Duration STABLE = Duration.ofMillis(500);
    /** Between two looks at a release, which sends no notification. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final GroupSettings settings;
    private final String lead;
    private final AssignmentReasons reasons;
    private final Membership membership;
    private KafkaConsumer<byte[], byte[]> consumer;
    private Admin admin;
    /** Guarded by this; null while the group's generation is not known. */
    private ConsumerGroupMetadata metadata;

    private OrphanedTransactions orphans;
    /** The partitions of each share when it was assigned. The number may grow in topics other than the first. */
    private final Map<Share, List<ClusterPartition>> partitionsByShare = new TreeMap<>();

    private long nextPartitionCheck = System.nanoTime();
    /** Shares assigned by the group that the listener has not received yet, because their positions are not known yet. */
    private final Map<Share, Share.Ownership> starting = new TreeMap<>();

    /** Creates a coordinator that has not joined the group. */
    public GroupCoordinator(GroupSettings settings) {
        super(
                settings.group(),
                settings.patience(),
                "This process has left the group.",
                "A commit of group " + settings.group() + " was refused.");
        this.settings = settings;
        this.lead = settings.cluster().topics().get(0);
        this.reasons = new AssignmentReasons(settings.group(), lead);
        this.membership = new Membership(settings.group(), settings.process());
    }

    @Override
    public String transactionalId() {
        return ids.of(settings.member());
    }

    @Override
    public synchronized TransactionOffsets transactionOffsets(List<Share.Commit> commits) {
        List<Share.Ownership> over = ended(commits);
        if (!over.isEmpty()) {
            throw new FencedException(
                    over, "This process does not own these shares of group " + settings.group() + ".");
        }
        if (metadata == null) {
            throw new CommitFailedException("the process is rejoining group " + settings.group() + "; retry soon");
        }
        return new TransactionOffsets(stamped(commits), metadata, transactionalId());
    }

    // ---- the coordinator's thread

    @Override
    protected void run() {
        Throwable failure = null;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties());
                Admin admin = Admin.create(settings.cluster().properties())) {
            this.consumer = consumer;
            this.admin = admin;
            this.orphans = new OrphanedTransactions(settings, ids, admin);
            consumer.subscribe(List.of(lead), new Rebalances());
            while (!leaving && !Thread.currentThread().isInterrupted()) {
                turn();
            }
            release(all(), reasons.ofEnd());
        } catch (RuntimeException | Error e) {
            // Thrown by Kafka or by the listener.
            failure = e;
        } finally {
            endGroup(failure);
        }
    }

    private Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>(settings.consumerProperties());
        properties.put(Membership.SETTING, membership);
        return properties;
    }

    private void turn() {
        try {
            consumer.poll(TURN);
            start();
            membership.check(owned.size() + starting.size(), settings.cluster().topics());
            if (starting.isEmpty()) {
                orphans.endWhenDue();
            }
            rejoinForAddedPartitions();
        } catch (RetriableException e) {
            LOG.warn("the coordinator of group {} does not answer; retrying: {}", settings.group(), e.getMessage());
        } catch (InconsistentGroupProtocolException e) {
            throw new IllegalStateException(
                    "group " + settings.group()
                            + " is in use by a pipeline with another value of 'keyed', or by another"
                            + " program: give this pipeline another 'name' or 'group'",
                    e);
        } catch (RuntimeException | Error e) {
            reasons.fail(e);
            throw e;
        }
        publish();
        serveCommits();
        answerPositions();
    }

    /**
     * Answers the requests for positions. Uses the admin client, which omits offsets in open transactions and does not block
     * this thread.
     */
    private void answerPositions() {
        for (var next = questions.poll(); next != null; next = questions.poll()) {
            CompletableFuture<Map<ClusterPartition, Long>> answer = next;
            admin.listConsumerGroupOffsets(settings.group(), new ListConsumerGroupOffsetsOptions().requireStable(true))
                    .partitionsToOffsetAndMetadata()
                    .whenComplete((offsets, failure) -> {
                        if (failure == null) {
                            answer.complete(positions(offsets));
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
        }
    }

    private Map<ClusterPartition, Long> positions(Map<TopicPartition, OffsetAndMetadata> offsets) {
        Map<ClusterPartition, Long> positions = new TreeMap<>();
        offsets.forEach((partition, offset) -> {
            if (offset != null) {
                positions.put(
                        new ClusterPartition(settings.cluster().name(), partition.topic(), partition.partition()),
                        offset.offset());
            }
        });
        return positions;
    }

    private synchronized void publish() {
        ConsumerGroupMetadata now = consumer.groupMetadata();
        // Without a generation the broker would not check the commit.
        metadata = now.generationId() < 0 ? null : now;
    }

    private void start() {
        if (starting.isEmpty()) {
            return;
        }
        Map<Share, List<ClusterPartition>> partitions = partitions(starting.keySet());
        Map<TopicPartition, OffsetAndMetadata> committed = committed(partitions.values());
        if (committed == null) {
            return;
        }
        List<Share.Assigned> started = new ArrayList<>();
        synchronized (this) {
            starting.forEach((share, ownership) -> {
                owned.put(share, ownership);
                List<ClusterPartition> assigned = partitions.get(share);
                partitionsByShare.put(share, assigned);
                started.add(new Share.Assigned(
                        ownership,
                        assigned,
                        StampedOffsets.progress(assigned, committed),
                        reasons.takeAssigned(share)));
            });
        }
        starting.clear();
        listener.onAssigned(started);
    }

    private Map<Share, List<ClusterPartition>> partitions(Collection<Share> shares) {
        Map<Share, List<ClusterPartition>> partitions = new TreeMap<>();
        shares.forEach(share -> partitions.put(share, new ArrayList<>()));
        int count = consumer.partitionsFor(lead, ANSWER).size();
        for (String topic : settings.cluster().topics()) {
            int size = consumer.partitionsFor(topic, ANSWER).size();
            if (size > count) {
                throw new IllegalStateException("topic " + topic + " has " + size + " partitions, but the first topic, "
                        + lead + ", has only " + count + ": name the topic with the most partitions first");
            }
            shares.stream()
                    .filter(share -> share.index() < size)
                    .forEach(share -> partitions
                            .get(share)
                            .add(new ClusterPartition(settings.cluster().name(), topic, share.index())));
        }
        return partitions;
    }

    /**
     * Rejoins the group if a topic other than the first has got partitions. The group protocol reports new partitions of the
     * first topic only. A share is assigned with all of its partitions, so the group must be joined again for a new one.
     */
    private void rejoinForAddedPartitions() {
        long now = System.nanoTime();
        if (settings.cluster().topics().size() == 1 || owned.isEmpty() || now - nextPartitionCheck < 0) {
            return;
        }
        nextPartitionCheck = now + settings.newPartitions().toNanos();
        boolean more = partitions(owned.keySet()).entrySet().stream()
                .anyMatch(share -> share.getValue().size()
                        > partitionsByShare.get(share.getKey()).size());
        if (more) {
            LOG.info(
                    "partitions were added to topics {}; rejoining group {}",
                    settings.cluster().topics(),
                    settings.group());
            reasons.joinAgain(settings.cluster().topics());
            consumer.unsubscribe();
            consumer.subscribe(List.of(lead), new Rebalances());
        }
    }

    /**
     * Returns the committed offsets; null if they are not available now, because brokers are away or an open transaction
     * contains them.
     */
    private Map<TopicPartition, OffsetAndMetadata> committed(Collection<List<ClusterPartition>> shares) {
        Set<TopicPartition> partitions = new HashSet<>();
        shares.forEach(share -> share.forEach(partition -> partitions.add(partition.topicPartition())));
        try {
            return consumer.committed(partitions, STABLE);
        } catch (RetriableException e) {
            orphans.end();
            return null;
        }
    }

    @Override
    protected void commit(PendingCommit asked) {
        try {
            consumer.commitSync(stamped(asked.commits()), ANSWER);
            asked.result().complete(null);
        } catch (RetriableException | RebalanceInProgressException | CommitFailedException e) {
            // After a rebalance, the next poll shows whether this process still owns the shares.
            retry(asked, e);
        } catch (KafkaException e) {
            asked.result().completeExceptionally(e);
        }
    }

    private final class Rebalances implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // This consumer fetches nothing. The position only keeps it from looking one up.
            consumer.pause(partitions);
            if (!partitions.isEmpty()) {
                orphans.suspect();
            }
            int generation = consumer.groupMetadata().generationId();
            partitions.forEach(partition -> {
                consumer.seek(partition, 0);
                Share share = new Share(partition.partition());
                starting.put(share, new Share.Ownership(share, generation));
            });
            reasons.assigned(starting.keySet(), consumer);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            release(ownerships(partitions), reasons.ofRevoked());
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            reportLost(ownerships(partitions), reasons.ofExclusion());
        }

        private List<Share.Ownership> ownerships(Collection<TopicPartition> partitions) {
            List<Share.Ownership> ownerships = new ArrayList<>();
            partitions.forEach(partition -> {
                Share share = new Share(partition.partition());
                starting.remove(share);
                if (owned.containsKey(share)) {
                    ownerships.add(owned.get(share));
                }
            });
            return ownerships;
        }
    }

    /** Waits until the listener has released the shares, and serves commits meanwhile. */
    private void release(List<Share.Ownership> shares, String reason) {
        if (shares.isEmpty()) {
            return;
        }
        CompletableFuture<Void> done = listener.onRevoked(shares, reason).toCompletableFuture();
        long deadline = deadline();
        while (!done.isDone() && System.nanoTime() - deadline < 0) {
            // The current generation may be newer than that of the last poll.
            publish();
            serveCommits();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        serveCommits();
        if (done.isDone() && !done.isCompletedExceptionally()) {
            disown(shares);
        } else {
            LOG.warn(
                    "{} were not released in time; commits of them are refused, the next owner redoes the work",
                    shares);
            reportLost(shares, reasons.ofOverdue());
        }
    }

    private void reportLost(List<Share.Ownership> shares, String reason) {
        disown(shares);
        if (!shares.isEmpty()) {
            listener.onLost(shares, reason);
        }
    }

    private void endGroup(Throwable failure) {
        Throwable cause = failure;
        try {
            reportLost(all(), reasons.ofEnd());
        } catch (RuntimeException | Error e) {
            cause = failure == null ? e : failure;
        }
        synchronized (this) {
            metadata = null;
        }
        end(cause);
    }
}
