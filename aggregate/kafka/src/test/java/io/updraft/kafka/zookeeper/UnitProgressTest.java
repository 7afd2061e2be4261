package io.updraft.kafka.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.kafka.unit.StampedOffsets;
import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.kafka.unit.WorkUnit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class UnitProgressTest {

    private static final UnitPartition HERE = new UnitPartition("here", "t", 3);
    private static final UnitPartition HERE_TOO = new UnitPartition("here", "u", 3);
    private static final UnitPartition THERE = new UnitPartition("there", "t", 3);
    private static final String METADATA = "closedUntil=2026\n\tand another line";

    private static final Map<UnitPartition, String> DETAILS = Map.of(THERE, "of there");

    @Test
    void shouldSurviveBeingWrittenToAZnode() {
        UnitNode node = new UnitNode(
                7,
                "m",
                true,
                List.of("x", "y"),
                new UnitProgress(Map.of(HERE, 5L, THERE, 1L << 40), METADATA, DETAILS));
        assertThat(UnitNode.read(node.written())).isEqualTo(node);
        assertThat(UnitNode.read(UnitNode.NEW.written())).isEqualTo(UnitNode.NEW);
        assertThat(UnitNode.read(new byte[0])).isEqualTo(UnitNode.NEW);
    }

    @Test
    void shouldRememberEveryOwnerThatMustBeFenced() {
        UnitNode node = UnitNode.NEW.takenBy("a").takenBy("b").takenBy("c");
        assertThat(node.unfencedOwners()).containsExactly("a", "b");
        assertThat(node.fenced().released().takenBy("d").unfencedOwners()).isEmpty();
        assertThat(node.epoch()).isEqualTo(3);
    }

    @Test
    void shouldFenceAnOwnerThatDidNotLetGoInTime() {
        UnitNode late = UnitNode.NEW.takenBy("a").overdue();
        assertThat(late.overdue()).isEqualTo(late);
        assertThat(late.released().takenBy("b").unfencedOwners()).containsExactly("a");
    }

    @Test
    void shouldCarryPositionsOfOtherClustersInTheMetadata() {
        UnitProgress all = new UnitProgress(Map.of(HERE, 5L, THERE, 9L), METADATA, DETAILS);
        UnitProgress packed = ForeignPositions.pack("here", all);
        assertThat(packed.positions()).isEqualTo(Map.of(HERE, 5L));
        assertThat(ForeignPositions.unpack(packed)).isEqualTo(all);
        assertThat(ForeignPositions.unpack(UnitProgress.NONE)).isEqualTo(UnitProgress.NONE);
        assertThatThrownBy(() -> ForeignPositions.pack("elsewhere", all)).hasMessageContaining("elsewhere");
    }

    @Test
    void shouldTakeTheMetadataOfTheLatestCommitWhicheverPartitionItNames() {
        UnitOwnership old = new UnitOwnership(new WorkUnit(3), 4);
        UnitOwnership later = new UnitOwnership(new WorkUnit(3), 5);
        Map<TopicPartition, OffsetAndMetadata> committed = new java.util.HashMap<>();
        committed.putAll(offsets(old, HERE, 5, "old", 10));
        committed.putAll(offsets(later, HERE_TOO, 6, "new", 9));
        assertThat(StampedOffsets.progress(List.of(HERE, HERE_TOO), committed))
                .isEqualTo(new UnitProgress(Map.of(HERE, 5L, HERE_TOO, 6L), "new"));
        committed.putAll(offsets(later, HERE, 8, "newest", 10));
        assertThat(StampedOffsets.progress(List.of(HERE, HERE_TOO), committed).metadata())
                .isEqualTo("newest");
    }

    @Test
    void shouldKeepTheDetailsOfEachPartition() {
        UnitOwnership owner = new UnitOwnership(new WorkUnit(3), 4);
        UnitProgress both = new UnitProgress(Map.of(HERE, 5L, HERE_TOO, 6L), "of both", Map.of(HERE, "of t | =@"));
        Map<TopicPartition, OffsetAndMetadata> offsets =
                StampedOffsets.offsets(List.of(new UnitCommit(owner, both)), 10);
        assertThat(StampedOffsets.progress(List.of(HERE, HERE_TOO), offsets)).isEqualTo(both);
    }

    @Test
    void shouldReadOffsetsThatAnotherToolHasReset() {
        Map<TopicPartition, OffsetAndMetadata> committed =
                Map.of(new TopicPartition("t", 3), new OffsetAndMetadata(42, "by hand"));
        assertThat(StampedOffsets.progress(List.of(HERE), committed))
                .isEqualTo(new UnitProgress(Map.of(HERE, 42L), ""));
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(
            UnitOwnership owner, UnitPartition partition, long next, String metadata, long number) {
        return StampedOffsets.offsets(
                List.of(new UnitCommit(owner, new UnitProgress(Map.of(partition, next), metadata))), number);
    }
}
