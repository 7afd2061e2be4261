package io.updraft.kafka.unit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Converts progress to offsets with a {@link CommitStamp} in their metadata, as a group commits them, and back. */
public final class StampedOffsets {

    private StampedOffsets() {}

    public static Map<TopicPartition, OffsetAndMetadata> offsets(List<UnitCommit> commits, long number) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (UnitCommit commit : commits) {
            UnitProgress progress = commit.progress();
            String stamped = new CommitStamp(commit.ownership().epoch(), number, progress.metadata()).written();
            progress.positions()
                    .forEach((partition, next) -> offsets.put(
                            new TopicPartition(partition.topic(), partition.partition()),
                            new OffsetAndMetadata(next, stamped)));
        }
        return offsets;
    }

    public static UnitProgress progress(
            List<UnitPartition> partitions, Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<UnitPartition, Long> positions = new TreeMap<>();
        CommitStamp latest = CommitStamp.NONE;
        for (UnitPartition partition : partitions) {
            OffsetAndMetadata its = committed.get(new TopicPartition(partition.topic(), partition.partition()));
            if (its != null) {
                positions.put(partition, its.offset());
                CommitStamp stamp = CommitStamp.read(its.metadata());
                latest = CommitStamp.ORDER.compare(stamp, latest) > 0 ? stamp : latest;
            }
        }
        return new UnitProgress(positions, latest.metadata());
    }
}
