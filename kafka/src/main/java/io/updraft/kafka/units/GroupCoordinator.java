package io.updraft.kafka.units;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares units by Kafka's own group protocol, for one cluster.
 *
 * <p>A consumer that fetches nothing is the group's member; it subscribes to the first topic alone, whose partitions
 * stand for the units, so that a unit's partitions in other topics go where it goes. Positions and metadata are the
 * group's committed offsets, of all topics.
 *
 * <p>The protocol is the classic one with {@code CooperativeStickyAssignor}: balanced within one, sticky, and nobody
 * stops what it keeps. Kafka 4's new protocol ({@code group.protocol=consumer}) works too, but leaves the session to the
 * broker, which as shipped takes 45 s at least to notice that a process died; with the classic one a client may ask for
 * 6 s, and less where {@code group.min.session.timeout.ms} is set lower.
 *
 * <p>Fencing: the epoch of an ownership is the group's generation in which it began. A commit is checked here against
 * what is owned, and by the broker against the group's generation; a process that was away is refused by one of them.
 * Transactions of processes that died are ended by whoever takes over their units ({@code TransactionalIds}): until then,
 * whoever reads only what is committed sees nothing of what any process has written behind the beginning of such a one.
 */
public final class GroupCoordinator implements Coordinator {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCoordinator.class);
    private static final Duration TURN = Duration.ofMillis(20);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** A transaction that is just being ended takes some ten milliseconds; one that is left behind takes forever. */
    private static final Duration STABLE = Duration.ofMillis(500);

    private static final String LEFT = "This process has left the group.";

    private record Pending(List<UnitCommit> commits, CompletableFuture<Void> result, long deadline) {}

    private final GroupSettings settings;
    private final String lead;
    private final TransactionalIds ids;
    private final Thread thread;
    private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<Map<UnitPartition, Long>>> asked = new ConcurrentLinkedQueue<>();

    private UnitsListener listener;
    private KafkaConsumer<byte[], byte[]> consumer;
    private Admin admin;
    private volatile boolean leaving;

    // Guarded by this; written by the coordinator's thread alone.
    private final Map<WorkUnit, Ownership> owned = new TreeMap<>();
    private ConsumerGroupMetadata metadata;
    private boolean ended;

    private long commits;
    /** Units were assigned whose owner before may have left a transaction open; not looked for before this time. */
    private boolean mayBeOrphans;

    private long nextLook;
    /** What each unit was made of when it was assigned; those of other topics than the first may get more. */
    private final Map<WorkUnit, List<UnitPartition>> parts = new TreeMap<>();

    private long nextCount = System.nanoTime();
    /** Assigned by the group, but the listener is not told yet, as their positions are not known yet. */
    private final Map<WorkUnit, Ownership> starting = new TreeMap<>();

    /**
     * A coordinator that is not joined yet.
     *
     * @param settings the group and the cluster
     */
    public GroupCoordinator(GroupSettings settings) {
        this.settings = settings;
        this.lead = settings.cluster().topics().get(0);
        this.ids = new TransactionalIds(settings.group());
        this.thread = new Thread(this::run, "units-" + settings.group());
        thread.setDaemon(true);
    }

    @Override
    public void join(UnitsListener listener) {
        this.listener = listener;
        thread.start();
    }

    @Override
    public String transactionalId() {
        return ids.of(settings.member());
    }

    @Override
    public CompletableFuture<Void> commit(List<UnitCommit> commits) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        Pending asked = new Pending(
                List.copyOf(commits),
                result,
                System.nanoTime() + settings.patience().toNanos());
        synchronized (this) {
            if (ended) {
                result.completeExceptionally(fenced(asked.commits, LEFT));
            } else {
                pending.add(asked);
            }
        }
        return result;
    }

    @Override
    public CompletableFuture<Map<UnitPartition, Long>> positions() {
        CompletableFuture<Map<UnitPartition, Long>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (ended) {
                answer.completeExceptionally(fenced(List.of(), LEFT));
            } else {
                asked.add(answer);
            }
        }
        return answer;
    }

    @Override
    public synchronized TransactionOffsets transactionOffsets(List<UnitCommit> commits) {
        List<Ownership> over = over(commits);
        if (!over.isEmpty()) {
            throw new FencedException(over, "Not a member of group " + settings.group() + " with these units.");
        }
        if (metadata == null) {
            throw new CommitFailedException("The group " + settings.group() + " is just being joined again.");
        }
        return new TransactionOffsets(offsets(commits), metadata, transactionalId());
    }

    @Override
    public void leave() {
        leaving = true;
        if (Thread.currentThread() != thread) {
            joinUninterruptibly();
        }
    }

    @Override
    public void close() {
        leave();
    }

    private void joinUninterruptibly() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- the coordinator's thread

    private void run() {
        Throwable failure = null;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings.consumerProperties());
                Admin admin = Admin.create(settings.cluster().properties())) {
            this.consumer = consumer;
            this.admin = admin;
            consumer.subscribe(List.of(lead), new Rebalances());
            while (!leaving) {
                turn();
            }
            letGo(List.copyOf(owned.values()));
        } catch (RuntimeException | Error e) {
            // Kafka's, or the listener's.
            failure = e;
        } finally {
            end(failure);
        }
    }

    private void turn() {
        try {
            consumer.poll(TURN);
            start();
            lookForOrphans();
            lookForMorePartitions();
        } catch (RetriableException e) {
            LOG.warn("The group {} does not answer: {}", settings.group(), e.getMessage());
        }
        publish();
        serveCommits();
        tellPositions();
    }

    /** By the admin client, which passes over what is in a transaction that is open, and does not hold up this thread. */
    private void tellPositions() {
        for (CompletableFuture<Map<UnitPartition, Long>> answer = asked.poll(); answer != null; answer = asked.poll()) {
            CompletableFuture<Map<UnitPartition, Long>> its = answer;
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
        // Without a generation the broker would check nothing.
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
                parts.put(unit, its);
                started.add(new AssignedUnit(ownership, its, StampedOffsets.progress(its, committed)));
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
                throw new IllegalStateException("Topic " + topic + " has " + its + " partitions, the first topic, "
                        + lead + ", only " + count + ": name the topic with the most partitions first.");
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
     * The group hears of partitions that are added to the first topic, and of no others. A unit is given with all of its partitions, so the
     * group is joined anew for one more.
     */
    private void lookForMorePartitions() {
        long now = System.nanoTime();
        if (settings.cluster().topics().size() == 1 || owned.isEmpty() || now - nextCount < 0) {
            return;
        }
        nextCount = now + settings.newPartitions().toNanos();
        boolean more = partitions(owned.keySet()).entrySet().stream()
                .anyMatch(unit ->
                        unit.getValue().size() > parts.get(unit.getKey()).size());
        if (more) {
            LOG.info(
                    "Partitions were added to {}: joining {} again",
                    settings.cluster().topics(),
                    settings.group());
            consumer.unsubscribe();
            consumer.subscribe(List.of(lead), new Rebalances());
        }
    }

    /** Null if they are not to be had now: brokers are away, or a transaction that names them is still open. */
    private Map<TopicPartition, OffsetAndMetadata> committed(Collection<List<UnitPartition>> units) {
        Set<TopicPartition> partitions = new HashSet<>();
        units.forEach(its -> its.forEach(one -> partitions.add(new TopicPartition(one.topic(), one.partition()))));
        try {
            return consumer.committed(partitions, STABLE);
        } catch (RetriableException e) {
            endOrphans();
            return null;
        }
    }

    /** After units were taken over, and not before: that waits for nothing, and so does reading. */
    private void lookForOrphans() {
        long now = System.nanoTime();
        if (mayBeOrphans && starting.isEmpty() && now - nextLook >= 0) {
            mayBeOrphans = !endOrphans();
            nextLook = now + AGAIN.toNanos();
        }
    }

    /** Whether there are none any more. */
    private boolean endOrphans() {
        try {
            Set<String> members = new HashSet<>();
            members.add(settings.member());
            admin.describeConsumerGroups(List.of(settings.group()))
                    .all()
                    .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .values()
                    .forEach(group -> group.members().stream()
                            .map(MemberDescription::clientId)
                            .forEach(members::add));
            List<String> orphans = ids.orphans(admin, members, ANSWER.toMillis());
            if (!orphans.isEmpty()) {
                LOG.info("Ending the transactions of processes that are gone: {}", orphans);
                ids.fence(admin, orphans, ANSWER.toMillis());
            }
            return true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Cannot end transactions of processes that are gone, trying again: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            leaving = true;
        }
        return false;
    }

    private void serveCommits() {
        int waiting = pending.size();
        for (int i = 0; i < waiting; i++) {
            Pending next = pending.remove();
            List<Ownership> over = over(next.commits);
            if (over.isEmpty()) {
                commit(next);
            } else {
                next.result.completeExceptionally(
                        new FencedException(over, "A commit to group " + settings.group() + " came too late."));
            }
        }
    }

    private void commit(Pending asked) {
        try {
            consumer.commitSync(offsets(asked.commits), ANSWER);
            asked.result.complete(null);
        } catch (RebalanceInProgressException | CommitFailedException e) {
            // The next poll says whether the units are still ours.
            againOrFail(asked, e);
        } catch (RetriableException e) {
            againOrFail(asked, e);
        } catch (KafkaException e) {
            asked.result.completeExceptionally(e);
        }
    }

    private void againOrFail(Pending asked, KafkaException e) {
        if (System.nanoTime() - asked.deadline < 0) {
            pending.add(asked);
        } else {
            asked.result.completeExceptionally(e);
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(List<UnitCommit> asked) {
        return StampedOffsets.offsets(asked, number());
    }

    private synchronized long number() {
        return commits++;
    }

    private synchronized List<Ownership> over(List<UnitCommit> asked) {
        return asked.stream()
                .map(UnitCommit::ownership)
                .filter(one -> !one.equals(owned.get(one.unit())))
                .toList();
    }

    private FencedException fenced(List<UnitCommit> asked, String why) {
        return new FencedException(asked.stream().map(UnitCommit::ownership).toList(), why);
    }

    private final class Rebalances implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Nothing is fetched by this consumer: the position only keeps it from looking for one.
            consumer.pause(partitions);
            partitions.forEach(partition -> consumer.seek(partition, 0));
            mayBeOrphans |= !partitions.isEmpty();
            int generation = consumer.groupMetadata().generationId();
            partitions.forEach(partition -> {
                WorkUnit unit = new WorkUnit(partition.partition());
                starting.put(unit, new Ownership(unit, generation));
            });
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            letGo(ownerships(partitions));
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            lose(ownerships(partitions));
        }

        private List<Ownership> ownerships(Collection<TopicPartition> partitions) {
            List<Ownership> ownerships = new ArrayList<>();
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

    /** Waits until the listener has let go, and goes on committing meanwhile. */
    private void letGo(List<Ownership> units) {
        if (units.isEmpty()) {
            return;
        }
        CompletableFuture<Void> done = listener.onRevoked(units).toCompletableFuture();
        long deadline = System.nanoTime() + settings.patience().toNanos();
        while (!done.isDone() && System.nanoTime() - deadline < 0) {
            // The generation in which we let go may be newer than that of the last poll.
            publish();
            serveCommits();
            Pause.briefly();
        }
        serveCommits();
        if (done.isDone() && !done.isCompletedExceptionally()) {
            disown(units);
        } else {
            LOG.warn(
                    "{} are not let go of in time: what is not committed is refused and left to the next owner", units);
            lose(units);
        }
    }

    private void lose(List<Ownership> units) {
        disown(units);
        if (!units.isEmpty()) {
            listener.onLost(units);
        }
    }

    private synchronized void disown(List<Ownership> units) {
        units.forEach(one -> owned.remove(one.unit()));
    }

    private void end(Throwable failure) {
        Throwable why = failure;
        try {
            lose(List.copyOf(owned.values()));
        } catch (RuntimeException | Error e) {
            why = failure == null ? e : failure;
        }
        left(why);
    }

    private void left(Throwable failure) {
        synchronized (this) {
            ended = true;
            metadata = null;
        }
        for (Pending left = pending.poll(); left != null; left = pending.poll()) {
            left.result.completeExceptionally(fenced(left.commits, LEFT));
        }
        asked.forEach(answer -> answer.completeExceptionally(fenced(List.of(), LEFT)));
        if (failure != null) {
            listener.onFailed(failure);
        }
    }
}
