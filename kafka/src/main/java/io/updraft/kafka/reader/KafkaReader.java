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
 * Reads partitions of one Kafka cluster, each in isolation: see the package. It knows no group and commits nothing: it is told what
 * to read from where, by {@link #assign} and {@link #revoke}.
 *
 * <p>Threads: one, whichever calls. No method waits for a broker, except {@link #close}, for up to a second.
 */
public final class KafkaReader implements AutoCloseable {

    /** As a start: the oldest record that there is. */
    public static final long EARLIEST = -2;

    /** As a start: the end, as it is when reading begins. */
    public static final long LATEST = -1;

    private static final Duration END = Duration.ofSeconds(1);

    /** Most partitions that a message names. */
    private static final int NAMED = 5;

    /** How long partitions may be without a leader before it is worth a word: another broker takes over sooner. */
    private static final Duration LEADERLESS = Duration.ofSeconds(5);

    /** How long a topic may be unknown before it counts as missing: brokers hear of a new one at different times. */
    private static final long MISSING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ReaderConfig config;
    private final LeaderLookup lookup;
    private final Map<TopicPartition, AssignedPartition> partitions = new HashMap<>();
    private final List<AssignedPartition> order = new ArrayList<>();
    private final Map<Integer, BrokerReader> brokers = new HashMap<>();
    private final Outage none = new Outage("Nothing", Duration.ZERO);
    private final Outage cluster;
    private final Outage leaders;
    private final Outage silent;
    private final Set<String> watched = new HashSet<>();
    private Set<TopicPartition> found = Set.of();
    private int turn;
    private int unplaced;

    /**
     * Makes a reader that has nothing to read yet.
     *
     * @param config how to read
     */
    public KafkaReader(ReaderConfig config) {
        this.config = config;
        this.lookup = new LeaderLookup(config);
        String where = "Kafka at " + config.client().get("bootstrap.servers");
        // It has taken the client some seconds to find that out.
        this.cluster = new Outage(where, Duration.ZERO);
        this.leaders = new Outage("A broker of " + where, LEADERLESS);
        // A process that was stopped for a while has to hear first what has come meanwhile.
        this.silent = new Outage("A broker of " + where, LEADERLESS);
    }

    /**
     * Reads a partition from now on.
     *
     * @param partition which; not one that is assigned already
     * @param start the first offset, or {@link #EARLIEST} or {@link #LATEST}
     */
    public void assign(TopicPartition partition, long start) {
        if (start < EARLIEST) {
            throw new IllegalArgumentException("no offset of " + partition + " to start at: " + start);
        }
        AssignedPartition assigned = new AssignedPartition(partition, start);
        if (partitions.putIfAbsent(partition, assigned) != null) {
            throw new IllegalStateException(partition + " is assigned already");
        }
        order.add(assigned);
        unplaced++;
    }

    /**
     * Stops reading a partition. What was read of it and not polled is forgotten; {@link #poll} gives nothing of it any more.
     *
     * @param partition which; one that is not assigned is ignored
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

    /**
     * Looks for partitions of topics also while none of them is assigned: see {@link #found}.
     *
     * @param topics their names
     */
    public void watch(Collection<String> topics) {
        watched.addAll(topics);
    }

    /**
     * Tells which partitions there are of the topics that are assigned or watched, assigned or not: some may have been added.
     *
     * @return those of the cluster's last answer, which {@link #poll} asks for about once a second; the same set until the next
     */
    public Set<TopicPartition> found() {
        return found;
    }

    /** {@return the partitions that are assigned now} */
    public Set<TopicPartition> assigned() {
        return Set.copyOf(partitions.keySet());
    }

    /**
     * Leaves what is read of a partition in its queue; when that is full, nothing more is fetched. The others go on.
     *
     * @param partition one that is assigned
     */
    public void pause(TopicPartition partition) {
        require(partition).paused = true;
    }

    /**
     * Ends {@link #pause}.
     *
     * @param partition one that is assigned
     */
    public void resume(TopicPartition partition) {
        require(partition).paused = false;
    }

    /**
     * Takes the next batch or event, of each partition in turn. Not calling it is how reading is held back.
     *
     * @return what has come; null if nothing, at once
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
     * Tells how far a partition is behind.
     *
     * @param partition one that is assigned
     * @return the offsets from what was polled last to the end of the log, as of some tenths of a second ago; -1 if unknown. Offsets
     *     without a record count, as in all that Kafka tells of lag
     */
    public long lag(TopicPartition partition) {
        return require(partition).lag();
    }

    /**
     * Tells how far a partition was read. Unlike the end of the batch that was polled last it passes what is no record, as the ends
     * of transactions.
     *
     * @param partition one that is assigned
     * @return everything before this offset was polled, or is no record; negative if it is not known yet where reading begins
     */
    public long passed(TopicPartition partition) {
        return require(partition).passed();
    }

    /**
     * Counts the answers of brokers to fetches of a partition: it grows, some times a second, while the partition's broker says that
     * there is nothing, and stands still when it says nothing.
     *
     * @param partition one that is assigned
     * @return how many since it was assigned, as of some tenths of a second ago
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
        note(answer);
        for (AssignedPartition partition : order) {
            Node leader = answer.leaders().get(partition.id);
            if (leader != null) {
                partition.missingSince = 0;
                place(partition, leader);
            } else if (isMissing(partition.id, answer)) {
                noteMissing(partition);
            }
        }
    }

    private void note(LeaderLookup.Answer answer) {
        Throwable silence = answer.silence();
        if (silence != null) {
            cluster.lasts(silence.getMessage());
            return;
        }
        cluster.over();
        found = Set.copyOf(answer.leaders().keySet());
        List<TopicPartition> leaderless = order.stream()
                .map(partition -> partition.id)
                .filter(id ->
                        answer.leaders().containsKey(id) && answer.leaders().get(id) == null)
                .limit(NAMED)
                .toList();
        if (leaderless.isEmpty()) {
            leaders.over();
        } else {
            leaders.lasts("nobody leads " + leaderless + (leaderless.size() == NAMED ? " and perhaps more" : ""));
        }
        noteSilence();
    }

    /** Of brokers that lead a partition, but do not answer this process. */
    private void noteSilence() {
        List<BrokerReader> silence = order.stream()
                .map(partition -> partition.owner)
                .filter(owner -> owner != null && !owner.hasEnded())
                .filter(owner -> owner.silence().compareTo(owner.patience()) > 0)
                .distinct()
                .toList();
        if (silence.isEmpty()) {
            silent.over();
        } else {
            silent.lasts(silence + " does not answer this process");
        }
    }

    /**
     * Tells what has been away for the longest time: the cluster, or a broker that leads a partition, or led it.
     *
     * @return its length is zero if all answer, or nothing is assigned, so that nobody was asked
     */
    public Outage outage() {
        if (order.isEmpty()) {
            return none;
        }
        Outage longest = cluster;
        for (Outage other : List.of(leaders, silent)) {
            longest = other.length().compareTo(longest.length()) > 0 ? other : longest;
        }
        return longest;
    }

    /** A partition that has no leader now is not missing, nor is one of a topic that could not be asked for. */
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
            // What the one has fetched comes before what the other will.
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

    private static void noteMissing(AssignedPartition partition) {
        long now = System.nanoTime();
        if (partition.missingSince == 0) {
            partition.missingSince = now;
        } else if (now - partition.missingSince > MISSING_NANOS && !partition.missing) {
            partition.missing = true;
            partition.put(new ReaderEvent.Failed(
                    partition.id,
                    partition.next,
                    partition.id + " is not there: no such topic, or no partition of that number;"
                            + " create it, or correct the name",
                    false));
        }
    }

    /** Stops reading. */
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
