package io.updraft.kafka.share;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Converts progress to offsets with a {@link CommitStamp} in their metadata, as a group commits them, and back. */
public final class StampedOffsets {

    /** Precedes the details of a partition. Older versions read the metadata of the share up to the blank. */
    private static final String DETAIL = " |";

    private StampedOffsets() {}

    public static Map<TopicPartition, OffsetAndMetadata> offsets(List<Share.Commit> commits, long number) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (Share.Commit commit : commits) {
            Share.Progress progress = commit.progress();
            String stamped = new CommitStamp(commit.ownership().epoch(), number, progress.metadata()).written();
            progress.positions().forEach((partition, next) -> {
                String detail = progress.details().get(partition);
                String written = detail == null ? stamped : stamped + DETAIL + detail;
                offsets.put(partition.topicPartition(), new OffsetAndMetadata(next, written));
            });
        }
        return offsets;
    }

    public static Share.Progress progress(
            List<ClusterPartition> partitions, Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<ClusterPartition, Long> positions = new TreeMap<>();
        Map<ClusterPartition, String> details = new TreeMap<>();
        CommitStamp latest = CommitStamp.NONE;
        for (ClusterPartition partition : partitions) {
            OffsetAndMetadata offset = committed.get(partition.topicPartition());
            if (offset != null) {
                positions.put(partition, offset.offset());
                int end = offset.metadata().indexOf(DETAIL);
                CommitStamp stamp = CommitStamp.read(
                        end < 0 ? offset.metadata() : offset.metadata().substring(0, end));
                if (end >= 0) {
                    details.put(partition, offset.metadata().substring(end + DETAIL.length()));
                }
                latest = CommitStamp.ORDER.compare(stamp, latest) > 0 ? stamp : latest;
            }
        }
        return new Share.Progress(positions, latest.metadata(), details);
    }

    /**
     * The metadata of a committed offset: a stamp that orders the commits of a share, followed by the application's metadata. A share
     * may have several partitions, and one commit may name only some of them. The metadata of the latest commit counts.
     *
     * @param epoch the epoch of the ownership that committed
     * @param number counts the commits of one process
     * @param metadata the application's metadata
     */
    private record CommitStamp(long epoch, long number, String metadata) {

        static final Comparator<CommitStamp> ORDER =
                Comparator.comparingLong(CommitStamp::epoch).thenComparingLong(CommitStamp::number);

        static final CommitStamp NONE = new CommitStamp(-1, -1, "");

        String written() {
            return epoch + "." + number + ";" + metadata;
        }

        /** Parses a stamp. Offsets written by another tool or by a reset have no stamp and no application metadata. */
        static CommitStamp read(String written) {
            int dot = written.indexOf('.');
            int end = written.indexOf(';');
            if (dot < 1 || end < dot) {
                return NONE;
            }
            try {
                return new CommitStamp(
                        Long.parseLong(written.substring(0, dot)),
                        Long.parseLong(written.substring(dot + 1, end)),
                        written.substring(end + 1));
            } catch (NumberFormatException e) {
                return NONE;
            }
        }
    }
}
