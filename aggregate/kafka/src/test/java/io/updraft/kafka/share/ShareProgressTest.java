package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ShareProgressTest {

    private static final ClusterPartition HERE = new ClusterPartition("here", "t", 3);
    private static final ClusterPartition HERE_TOO = new ClusterPartition("here", "u", 3);
    private static final ClusterPartition THERE = new ClusterPartition("there", "t", 3);
    private static final String METADATA = "closedUntil=2026\n\tand another line";

    private static final Map<ClusterPartition, String> DETAILS = Map.of(THERE, "of there");

    @Test
    void shouldSurviveBeingWrittenToAZnode() {
        ShareNode node = new ShareNode(
                7,
                "m",
                true,
                List.of("x", "y"),
                new Share.Progress(Map.of(HERE, 5L, THERE, 1L << 40), METADATA, DETAILS));
        assertThat(ShareNode.read(node.written())).isEqualTo(node);
        assertThat(ShareNode.read(ShareNode.NEW.written())).isEqualTo(ShareNode.NEW);
        assertThat(ShareNode.read(new byte[0])).isEqualTo(ShareNode.NEW);
    }

    @Test
    void shouldRememberEveryOwnerThatMustBeFenced() {
        ShareNode node = ShareNode.NEW.takenBy("a").takenBy("b").takenBy("c");
        assertThat(node.unfencedOwners()).containsExactly("a", "b");
        assertThat(node.fenced().released().takenBy("d").unfencedOwners()).isEmpty();
        assertThat(node.epoch()).isEqualTo(3);
    }

    @Test
    void shouldFenceAnOwnerThatDidNotLetGoInTime() {
        ShareNode late = ShareNode.NEW.takenBy("a").overdue();
        assertThat(late.overdue()).isEqualTo(late);
        assertThat(late.released().takenBy("b").unfencedOwners()).containsExactly("a");
    }

    @Test
    void shouldCarryPositionsOfOtherClustersInTheMetadata() {
        Share.Progress all = new Share.Progress(Map.of(HERE, 5L, THERE, 9L), METADATA, DETAILS);
        Share.Progress packed = ForeignPositions.pack("here", all);
        assertThat(packed.positions()).isEqualTo(Map.of(HERE, 5L));
        assertThat(ForeignPositions.unpack(packed)).isEqualTo(all);
        assertThat(ForeignPositions.unpack(Share.Progress.NONE)).isEqualTo(Share.Progress.NONE);
        assertThatThrownBy(() -> ForeignPositions.pack("elsewhere", all)).hasMessageContaining("elsewhere");
    }

    @Test
    void shouldTakeTheMetadataOfTheLatestCommitWhicheverPartitionItNames() {
        Share.Ownership old = new Share.Ownership(new Share(3), 4);
        Share.Ownership later = new Share.Ownership(new Share(3), 5);
        Map<TopicPartition, OffsetAndMetadata> committed = new java.util.HashMap<>();
        committed.putAll(offsets(old, HERE, 5, "old", 10));
        committed.putAll(offsets(later, HERE_TOO, 6, "new", 9));
        assertThat(StampedOffsets.progress(List.of(HERE, HERE_TOO), committed))
                .isEqualTo(new Share.Progress(Map.of(HERE, 5L, HERE_TOO, 6L), "new"));
        committed.putAll(offsets(later, HERE, 8, "newest", 10));
        assertThat(StampedOffsets.progress(List.of(HERE, HERE_TOO), committed).metadata())
                .isEqualTo("newest");
    }

    @Test
    void shouldKeepTheDetailsOfEachPartition() {
        Share.Ownership owner = new Share.Ownership(new Share(3), 4);
        Share.Progress both = new Share.Progress(Map.of(HERE, 5L, HERE_TOO, 6L), "of both", Map.of(HERE, "of t | =@"));
        Map<TopicPartition, OffsetAndMetadata> offsets =
                StampedOffsets.offsets(List.of(new Share.Commit(owner, both)), 10);
        assertThat(StampedOffsets.progress(List.of(HERE, HERE_TOO), offsets)).isEqualTo(both);
    }

    @Test
    void shouldReadOffsetsThatAnotherToolHasReset() {
        Map<TopicPartition, OffsetAndMetadata> committed =
                Map.of(new TopicPartition("t", 3), new OffsetAndMetadata(42, "by hand"));
        assertThat(StampedOffsets.progress(List.of(HERE), committed))
                .isEqualTo(new Share.Progress(Map.of(HERE, 42L), ""));
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(
            Share.Ownership owner, ClusterPartition partition, long next, String metadata, long number) {
        return StampedOffsets.offsets(
                List.of(new Share.Commit(owner, new Share.Progress(Map.of(partition, next), metadata))), number);
    }
}
