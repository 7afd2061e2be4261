package io.updraft.kafka.reader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads partitions of one Kafka cluster, each in isolation: see the package. It belongs to no group and commits nothing.
 * {@link #assign} and {@link #revoke} define what it reads.
 *
 * <p>Not thread-safe: one thread at a time. No method waits for a broker, except {@link #close}, for up to a second for each
 * broker.
 */
public final class KafkaReader implements AutoCloseable {

    /** As a start: the oldest record. */
    public static final long EARLIEST = -2;

    /** As a start: the end, as it is when reading begins. */
    public static final long LATEST = -1;

    private static final Duration END = Duration.ofSeconds(1);

    private static final int NAMED = 5;

    /** How long partitions may be without a leader before the log reports it. Usually another broker takes over sooner. */
    private static final Duration LEADERLESS = Duration.ofSeconds(5);

    /** How long a topic may be unknown before it counts as missing. Brokers learn of a new topic at different times. */
    private static final long MISSING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ReaderConfig config;
    private final LeaderLookup lookup;
    private final Map<TopicPartition, AssignedPartition> partitions = new HashMap<>();
    private final List<AssignedPartition> order = new ArrayList<>();
    private final Map<Integer, BrokerReader> brokers = new HashMap<>();
    private final OutageLog none = new OutageLog("Nothing", Duration.ZERO);
    private final OutageLog cluster;
    private final OutageLog leaders;
    private final OutageLog silent;
    private final Set<String> watched = new HashSet<>();
    private Set<TopicPartition> found = Set.of();
    private int turn;
    private int unplaced;

    /** Creates a reader without partitions. */
    public KafkaReader(ReaderConfig config) {
        this.config = config;
        this.lookup = new LeaderLookup(config);
        String where = "Kafka at " + config.client().get("bootstrap.servers");
        // No delay: the client itself takes some seconds to notice.
        this.cluster = new OutageLog(where, Duration.ZERO);
        this.leaders = new OutageLog("A broker of " + where, LEADERLESS);
        // A process that was suspended must first process the answers that arrived meanwhile.
        this.silent = new OutageLog("A broker of " + where, LEADERLESS);
    }

    /**
     * Starts reading a partition.
     *
     * @param partition a partition that is not assigned
     * @param start the first offset, or {@link #EARLIEST} or {@link #LATEST}
     */
    public void assign(TopicPartition partition, long start) {
        assign(partition, partition.toString(), start);
    }

    /**
     * Starts reading a partition whose chunks have a name of the caller.
     *
     * @param partition a partition that is not assigned
     * @param name the partition's name in {@link KafkaChunk#partition}
     * @param start the first offset, or {@link #EARLIEST} or {@link #LATEST}
     */
    public void assign(TopicPartition partition, String name, long start) {
        if (start < EARLIEST) {
            throw new IllegalArgumentException("invalid start offset of " + partition + ": " + start);
        }
        AssignedPartition assigned = new AssignedPartition(partition, name, start);
        if (partitions.putIfAbsent(partition, assigned) != null) {
            throw new IllegalStateException(partition + " is assigned already");
        }
        order.add(assigned);
        unplaced++;
    }

    /**
     * Stops reading a partition. Drops its queued records; {@link #poll} returns nothing of it any more.
     *
     * @param partition the partition; ignored if it is not assigned
     */
    public void revoke(TopicPartition partition) {
        AssignedPartition assigned = partitions.remove(partition);
        if (assigned == null) {
            return;
        }
        order.remove(assigned);
        assigned.revoked = true;
        assigned.queue.clear();
        if (assigned.owner == null) {
            unplaced--;
        } else {
            assigned.owner.remove(assigned, () -> {});
        }
    }

    /** Includes topics in {@link #found} while none of their partitions is assigned. */
    public void watch(Collection<String> topics) {
        watched.addAll(topics);
    }

    /**
     * Returns the partitions of all assigned or watched topics, whether they are assigned or not. Partitions may have been
     * added.
     *
     * @return the partitions in the cluster's last answer, which {@link #poll} requests about once a second; the same set until
     *     the next answer
     */
    public Set<TopicPartition> found() {
        return found;
    }

    /**
     * Pauses a partition: its records stay in its queue. Once the queue is full, nothing more is fetched. Other partitions
     * continue.
     */
    public void pause(TopicPartition partition) {
        require(partition).paused = true;
    }

    /** Ends {@link #pause}. */
    public void resume(TopicPartition partition) {
        require(partition).paused = false;
    }

    /**
     * Takes the next chunk or event, from each partition in turn. A caller that does not poll applies back-pressure.
     *
     * @return the next event; null, without waiting, if there is none
     */
    public ReaderEvent poll() {
        place();
        for (int i = order.size(); i > 0; i--) {
            turn = turn + 1 < order.size() ? turn + 1 : 0;
            AssignedPartition partition = order.get(turn);
            if (!partition.paused) {
                ReaderEvent event = partition.take(config.queueBytes());
                if (event != null) {
                    return event;
                }
            }
        }
        return null;
    }

    /**
     * Returns the lag of a partition.
     *
     * @return the offsets from the last polled record to the end of the log, as of some tenths of a second ago; -1 if unknown.
     *     Offsets without a record count, as in every lag that Kafka reports
     */
    public long lag(TopicPartition partition) {
        return require(partition).lag();
    }

    /**
     * Returns how far a partition was read. Unlike the end of the last polled chunk, this position passes offsets that are not
     * records, such as transaction markers.
     *
     * @return everything before this offset was polled, or is not a record; negative if the start of reading is not known yet
     */
    public long readUpTo(TopicPartition partition) {
        return require(partition).readUpTo();
    }

    /**
     * Returns the number of answered fetches of a partition. The count grows several times a second while the broker answers,
     * even without new records. It stands still while the broker does not answer.
     *
     * @return the answers since the assignment, as of some tenths of a second ago
     */
    public long answers(TopicPartition partition) {
        return require(partition).answers;
    }

    private AssignedPartition require(TopicPartition partition) {
        AssignedPartition assigned = partitions.get(partition);
        if (assigned == null) {
            throw new IllegalArgumentException(partition + " is not assigned");
        }
        return assigned;
    }

    /** Gives each partition to the reader of the broker that leads it now. */
    private void place() {
        if (!order.isEmpty() || !watched.isEmpty()) {
            lookup.ask(this::topics, unplaced > 0);
        }
        LeaderLookup.Answer answer = lookup.poll();
        if (answer == null) {
            return;
        }
        recordOutages(answer);
        for (AssignedPartition partition : order) {
            Node leader = answer.leaders().get(partition.id);
            if (leader != null) {
                partition.missingSince = 0;
                place(partition, leader);
            } else if (isMissing(partition.id, answer)) {
                reportMissing(partition);
            }
        }
    }

    private void recordOutages(LeaderLookup.Answer answer) {
        Throwable silence = answer.silence();
        if (silence != null) {
            cluster.report(silence.getMessage());
            return;
        }
        cluster.end();
        found = Set.copyOf(answer.leaders().keySet());
        List<TopicPartition> leaderless = order.stream()
                .map(partition -> partition.id)
                .filter(id ->
                        answer.leaders().containsKey(id) && answer.leaders().get(id) == null)
                .limit(NAMED)
                .toList();
        if (leaderless.isEmpty()) {
            leaders.end();
        } else {
            leaders.report("no leader for " + leaderless + (leaderless.size() == NAMED ? " and perhaps more" : ""));
        }
        recordSilence();
    }

    /** Notes brokers that lead a partition but do not answer this process. */
    private void recordSilence() {
        List<BrokerReader> silence = order.stream()
                .map(partition -> partition.owner)
                .filter(owner -> owner != null && !owner.hasEnded())
                .filter(owner -> owner.silence().compareTo(owner.requestTimeout()) > 0)
                .distinct()
                .toList();
        if (silence.isEmpty()) {
            silent.end();
        } else {
            silent.report(silence + " does not answer this process");
        }
    }

    /**
     * Returns the longest current outage: of the cluster, or of a broker that leads or led a partition.
     *
     * @return an outage of zero length if all brokers answer, or if nothing is assigned and so no broker was asked
     */
    public OutageLog outage() {
        if (order.isEmpty()) {
            return none;
        }
        OutageLog longest = cluster;
        for (OutageLog other : List.of(leaders, silent)) {
            longest = other.length().compareTo(longest.length()) > 0 ? other : longest;
        }
        return longest;
    }

    /**
     * Returns whether a partition is missing. A partition without a leader is not missing. Neither is one whose topic could not
     * be looked up.
     */
    private static boolean isMissing(TopicPartition partition, LeaderLookup.Answer answer) {
        Throwable failure = answer.failures().get(partition.topic());
        return failure == null
                ? !answer.leaders().containsKey(partition) && answer.knows(partition.topic())
                : failure instanceof UnknownTopicOrPartitionException;
    }

    private Set<String> topics() {
        Set<String> topics =
                order.stream().map(partition -> partition.id.topic()).collect(Collectors.toSet());
        topics.addAll(watched);
        return topics;
    }

    private void place(AssignedPartition partition, Node leader) {
        BrokerReader before = partition.owner;
        if (before != null && before.broker() == leader.id()) {
            return;
        }
        BrokerReader after = reader(leader);
        partition.owner = after;
        if (before == null) {
            unplaced--;
            after.add(partition);
        } else {
            // Records fetched by the old reader come before those of the new one.
            before.remove(partition, () -> after.add(partition));
        }
    }

    private BrokerReader reader(Node leader) {
        BrokerReader there = brokers.get(leader.id());
        if (there == null || there.hasEnded()) {
            there = new BrokerReader(leader.id(), leader.host() + ":" + leader.port(), config);
            there.start();
            brokers.put(leader.id(), there);
        }
        return there;
    }

    private static void reportMissing(AssignedPartition partition) {
        long now = System.nanoTime();
        if (partition.missingSince == 0) {
            partition.missingSince = now;
        } else if (now - partition.missingSince > MISSING_NANOS && !partition.missing) {
            partition.missing = true;
            partition.put(new ReaderEvent.Failed(
                    partition.id,
                    partition.next,
                    partition.id + " is not there: the topic or the partition does not exist;"
                            + " create it, or correct the name",
                    false));
        }
    }

    /** Stops reading. Waits up to a second for the thread of each broker. */
    @Override
    public void close() {
        lookup.close();
        order.forEach(partition -> partition.revoked = true);
        brokers.values().forEach(BrokerReader::close);
        try {
            for (BrokerReader broker : brokers.values()) {
                broker.awaitEnd(END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
