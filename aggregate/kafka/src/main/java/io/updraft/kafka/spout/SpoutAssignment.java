package io.updraft.kafka.spout;

import io.updraft.kafka.reader.KafkaReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partitions that one task of the spout reads, with their state. The spout's thread. */
final class SpoutAssignment {

    private static final Logger LOG = LoggerFactory.getLogger(SpoutAssignment.class);
    private static final long REASSIGN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PartitionSpoutConfig config;
    private final KafkaReader reader;
    private final GroupOffsets offsets;
    private final String spout;
    private final int task;
    private final int tasks;
    private final Map<TopicPartition, SpoutPartition> partitions = new HashMap<>();
    /** The state of topics that were recreated, kept for replays. */
    private final List<SpoutPartition> former = new ArrayList<>();
    /** When partitions failed that are to be assigned again. */
    private final Map<TopicPartition, Long> failed = new HashMap<>();

    private Set<TopicPartition> found = Set.of();

    /**
     * Starts reading the partitions of a task.
     *
     * @param spout the name of the task, for messages
     */
    SpoutAssignment(
            PartitionSpoutConfig config, KafkaReader reader, GroupOffsets offsets, String spout, int task, int tasks) {
        this.config = config;
        this.reader = reader;
        this.offsets = offsets;
        this.spout = spout;
        this.task = task;
        this.tasks = tasks;
        Collection<TopicPartition> assigned = offsets.partitions(config.topics);
        assigned.removeIf(partition -> !isMine(partition));
        read(assigned, config.start);
        reader.watch(config.topics);
    }

    Collection<SpoutPartition> partitions() {
        return partitions.values();
    }

    /** Returns the state of recreated topics that have records to replay. */
    List<SpoutPartition> former() {
        former.removeIf(partition -> partition.tracker.pending() == 0);
        return former;
    }

    boolean isFailed(TopicPartition id) {
        return failed.containsKey(id);
    }

    /**
     * Returns whether this task reads the partition. The answer does not change when partitions are added. The partitions of
     * one topic are spread evenly over the tasks.
     */
    private boolean isMine(TopicPartition partition) {
        return Math.floorMod(partition.topic().hashCode() + partition.partition(), tasks) == task;
    }

    private void read(Collection<TopicPartition> ids, long start) {
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(ids);
        ids.forEach(id -> read(id, committed.containsKey(id) ? committed.get(id).offset() : start));
    }

    private void read(TopicPartition id, long start) {
        partitions.put(id, new SpoutPartition(id, start, config));
        reader.assign(id, start);
    }

    /**
     * Reads added partitions from their beginning, regardless of the configured start. All of their records are newer than the
     * start of the topology.
     */
    void readAdded() {
        Set<TopicPartition> now = reader.found();
        if (now == found) {
            return;
        }
        List<TopicPartition> added = now.stream()
                .filter(id -> isMine(id) && !partitions.containsKey(id))
                .toList();
        try {
            if (!added.isEmpty()) {
                read(added, KafkaReader.EARLIEST);
                LOG.info("{} reads added partitions: {}", spout, added);
            }
            found = now;
        } catch (IllegalStateException e) {
            LOG.warn("added partitions {} cannot be read yet; retrying: {}", added, e.getMessage());
        }
    }

    /**
     * Returns the state of a partition whose next chunk begins at an offset. If the topic was recreated, its offsets start
     * over. The old state is then kept for replays.
     */
    SpoutPartition partition(TopicPartition id, long offset) {
        SpoutPartition partition = partitions.get(id);
        if (offset >= partition.tracker.position()) {
            return partition;
        }
        partition.endSearch();
        former.add(partition);
        SpoutPartition recreated = new SpoutPartition(id, offset, config);
        partitions.put(id, recreated);
        return recreated;
    }

    void fail(TopicPartition id, long now) {
        reader.revoke(id);
        failed.put(id, now);
    }

    void reassign(long now) {
        failed.entrySet().removeIf(entry -> now - entry.getValue() > REASSIGN_NANOS && reassign(entry.getKey()));
    }

    private boolean reassign(TopicPartition id) {
        SpoutPartition partition = partitions.get(id);
        long position = partition.tracker.position();
        reader.assign(id, position == 0 ? partition.start : position);
        if (partition.paused) {
            reader.pause(id);
        }
        return true;
    }
}
