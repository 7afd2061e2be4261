package io.updraft.kafka.unit;

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
 * Shares units with Kafka's own group protocol, for one cluster.
 *
 * <p>The group's member is a consumer that fetches nothing. It subscribes to the first topic only, whose partitions represent
 * the units. A unit's partitions in other topics are assigned together with it. Positions and metadata are the group's
 * committed offsets, of all topics.
 *
 * <p>The protocol is the classic one with {@code CooperativeStickyAssignor}: balanced within one, sticky, and without
 * interruption for units that stay. Kafka 4's new protocol ({@code group.protocol=consumer}) works too, but leaves the session
 * timeout to the broker, whose default takes at least 45 s to detect a dead process. With the classic protocol a client may
 * request 6 s, and less where {@code group.min.session.timeout.ms} is lower.
 *
 * <p>Fencing: the epoch of an ownership is the group's generation in which it began. This class checks a commit against the
 * owned units, and the broker checks it against the group's generation. One of the two refuses a process that was away. The
 * next owner of the units ends the transactions of dead processes ({@code TransactionalIds}). Until then, readers of committed
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
    /** The partitions of each unit when it was assigned. The number may grow in topics other than the first. */
    private final Map<WorkUnit, List<UnitPartition>> partitionsByUnit = new TreeMap<>();

    private long nextPartitionCheck = System.nanoTime();
    /** Units assigned by the group that the listener has not received yet, because their positions are not known yet. */
    private final Map<WorkUnit, UnitOwnership> starting = new TreeMap<>();

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
    public synchronized TransactionOffsets transactionOffsets(List<UnitCommit> commits) {
        List<UnitOwnership> over = ended(commits);
        if (!over.isEmpty()) {
            throw new FencedException(over, "This process does not own these units of group " + settings.group() + ".");
        }
        if (metadata == null) {
            throw new CommitFailedException("The process is rejoining group " + settings.group() + "; retry soon.");
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
            LOG.warn("The coordinator of group {} does not answer; retrying: {}", settings.group(), e.getMessage());
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
            CompletableFuture<Map<UnitPartition, Long>> its = next;
            admin.listConsumerGroupOffsets(settings.group(), new ListConsumerGroupOffsetsOptions().requireStable(true))
                    .partitionsToOffsetAndMetadata()
                    .whenComplete((offsets, failure) -> {
                        if (failure == null) {
                            its.complete(positions(offsets));
                        } else {
                            its.completeExceptionally(failure);
                        }
                    });
        }
    }

    private Map<UnitPartition, Long> positions(Map<TopicPartition, OffsetAndMetadata> offsets) {
        Map<UnitPartition, Long> positions = new TreeMap<>();
        offsets.forEach((partition, offset) -> {
            if (offset != null) {
                positions.put(
                        new UnitPartition(settings.cluster().name(), partition.topic(), partition.partition()),
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
        Map<WorkUnit, List<UnitPartition>> partitions = partitions(starting.keySet());
        Map<TopicPartition, OffsetAndMetadata> committed = committed(partitions.values());
        if (committed == null) {
            return;
        }
        List<AssignedUnit> started = new ArrayList<>();
        synchronized (this) {
            starting.forEach((unit, ownership) -> {
                owned.put(unit, ownership);
                List<UnitPartition> its = partitions.get(unit);
                partitionsByUnit.put(unit, its);
                started.add(new AssignedUnit(
                        ownership, its, StampedOffsets.progress(its, committed), reasons.takeAssigned(unit)));
            });
        }
        starting.clear();
        listener.onAssigned(started);
    }

    private Map<WorkUnit, List<UnitPartition>> partitions(Collection<WorkUnit> units) {
        Map<WorkUnit, List<UnitPartition>> partitions = new TreeMap<>();
        units.forEach(unit -> partitions.put(unit, new ArrayList<>()));
        int count = consumer.partitionsFor(lead, ANSWER).size();
        for (String topic : settings.cluster().topics()) {
            int its = consumer.partitionsFor(topic, ANSWER).size();
            if (its > count) {
                throw new IllegalStateException("Topic " + topic + " has " + its + " partitions, but the first topic, "
                        + lead + ", has only " + count + ": name the topic with the most partitions first.");
            }
            units.stream()
                    .filter(unit -> unit.index() < its)
                    .forEach(unit -> partitions
                            .get(unit)
                            .add(new UnitPartition(settings.cluster().name(), topic, unit.index())));
        }
        return partitions;
    }

    /**
     * Rejoins the group if a topic other than the first has got partitions. The group protocol reports new partitions of the
     * first topic only. A unit is assigned with all of its partitions, so the group must be joined again for a new one.
     */
    private void rejoinForAddedPartitions() {
        long now = System.nanoTime();
        if (settings.cluster().topics().size() == 1 || owned.isEmpty() || now - nextPartitionCheck < 0) {
            return;
        }
        nextPartitionCheck = now + settings.newPartitions().toNanos();
        boolean more = partitions(owned.keySet()).entrySet().stream()
                .anyMatch(unit -> unit.getValue().size()
                        > partitionsByUnit.get(unit.getKey()).size());
        if (more) {
            LOG.info(
                    "Partitions were added to topics {}; rejoining group {}",
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
    private Map<TopicPartition, OffsetAndMetadata> committed(Collection<List<UnitPartition>> units) {
        Set<TopicPartition> partitions = new HashSet<>();
        units.forEach(its -> its.forEach(one -> partitions.add(one.topicPartition())));
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
            // After a rebalance, the next poll shows whether this process still owns the units.
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
                WorkUnit unit = new WorkUnit(partition.partition());
                starting.put(unit, new UnitOwnership(unit, generation));
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

        private List<UnitOwnership> ownerships(Collection<TopicPartition> partitions) {
            List<UnitOwnership> ownerships = new ArrayList<>();
            partitions.forEach(partition -> {
                WorkUnit unit = new WorkUnit(partition.partition());
                starting.remove(unit);
                if (owned.containsKey(unit)) {
                    ownerships.add(owned.get(unit));
                }
            });
            return ownerships;
        }
    }

    /** Waits until the listener has released the units, and serves commits meanwhile. */
    private void release(List<UnitOwnership> units, String reason) {
        if (units.isEmpty()) {
            return;
        }
        CompletableFuture<Void> done = listener.onRevoked(units, reason).toCompletableFuture();
        long deadline = deadline();
        while (!done.isDone() && System.nanoTime() - deadline < 0) {
            // The current generation may be newer than that of the last poll.
            publish();
            serveCommits();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        serveCommits();
        if (done.isDone() && !done.isCompletedExceptionally()) {
            disown(units);
        } else {
            LOG.warn(
                    "{} were not released in time; commits of them are refused, the next owner redoes the work", units);
            reportLost(units, reasons.ofOverdue());
        }
    }

    private void reportLost(List<UnitOwnership> units, String reason) {
        disown(units);
        if (!units.isEmpty()) {
            listener.onLost(units, reason);
        }
    }

    private void endGroup(Throwable failure) {
        Throwable why = failure;
        try {
            reportLost(all(), reasons.ofEnd());
        } catch (RuntimeException | Error e) {
            why = failure == null ? e : failure;
        }
        synchronized (this) {
            metadata = null;
        }
        end(why);
    }
}
