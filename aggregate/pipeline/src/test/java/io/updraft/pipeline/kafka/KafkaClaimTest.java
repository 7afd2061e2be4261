package io.updraft.pipeline.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.unit.StampedOffsets;
import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.kafka.unit.WorkUnit;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.UnitPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The metadata that is stored with offsets and read again. */
final class KafkaClaimTest {

    private static final UnitPartition A = new UnitPartition("one", "a", 3);
    private static final UnitPartition B = new UnitPartition("one", "b", 3);
    private static final UnitPartition C = new UnitPartition("one", "c", 3);
    private final KafkaClaim claim = new KafkaClaim(new UnitOwnership(new WorkUnit(3), 1), Map.of("a-3", A, "b-3", B));

    @Test
    void shouldReadWhatItHasWrittenOfEachPartition() {
        UnitPosition a = position("a-3", 10, 30);
        UnitPosition b = position("b-3", 5, 8);
        UnitProgress progress = claim.commit(List.of(a, b)).orElseThrow().progress();
        assertThat(progress.positions()).isEqualTo(Map.of(A, 10L, B, 5L));
        assertThat(KafkaClaim.read(progress, A, "a-3", 10)).isEqualTo(a);
        assertThat(KafkaClaim.read(progress, B, "b-3", 5)).isEqualTo(b);
        assertThat(KafkaClaim.read(progress, C, "c-3", 0)).isEqualTo(new UnitPosition("c-3", 0, 77));
    }

    /** Some have one hash code, others differ by a dot and an underscore only. */
    @ParameterizedTest
    @CsvSource({"plant-B1-3, plant-AP-3", "plant.a-3, plant_a-3", "Aa-3, BB-3"})
    void shouldTellPartitionsApartWhoseNamesAreAlike(String one, String other) {
        KafkaClaim both = new KafkaClaim(new UnitOwnership(new WorkUnit(3), 1), Map.of(one, A, other, B));
        both.setLog(one, new LogIdentity("abcdefgh", 5));
        both.setLog(other, new LogIdentity("ijklmnop", 6));
        UnitPosition first = position(one, 10, 30);
        UnitPosition second = position(other, 500, 508);
        UnitProgress progress = stored(both.commit(List.of(first, second)).orElseThrow());
        assertThat(KafkaClaim.read(progress, A, one, 10)).isEqualTo(first);
        assertThat(KafkaClaim.read(progress, B, other, 500)).isEqualTo(second);
        assertThat(KafkaClaim.readLog(progress, A, one)).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaClaim.readLog(progress, B, other)).isEqualTo(new LogIdentity("ijklmnop", 6));
    }

    @Test
    void shouldKeepWhatWasHandledOfAPartitionThatALaterCommitDoesNotName() {
        UnitPosition a = position("a-3", 10, 30);
        UnitCommit first = claim.commit(List.of(a, position("b-3", 5, 8))).orElseThrow();
        UnitPosition b = position("b-3", 20, 25);
        UnitCommit second = claim.commit(List.of(b)).orElseThrow();
        UnitProgress progress = stored(first, second);
        assertThat(KafkaClaim.read(progress, A, "a-3", 10)).isEqualTo(a);
        assertThat(KafkaClaim.read(progress, B, "b-3", 20)).isEqualTo(b);
        assertThat(first.progress().then(second.progress())).isEqualTo(progress);
    }

    private static UnitPosition position(String unit, long from, long to) {
        ProcessedRanges handled = ProcessedRanges.NONE.handled(from, to).closedUntil(77);
        return new UnitPosition(unit, from, 77, handled);
    }

    /** Returns the progress that the next owner reads from the committed offsets. */
    private static UnitProgress stored(UnitCommit... commits) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int i = 0; i < commits.length; i++) {
            offsets.putAll(StampedOffsets.offsets(List.of(commits[i]), i));
        }
        return StampedOffsets.progress(List.of(A, B), offsets);
    }

    @Test
    void shouldKeepWhichLogEachPartitionWasReadFrom() {
        claim.setLog("a-3", new LogIdentity("abcdefgh", 5));
        UnitProgress progress = claim.commit(List.of(new UnitPosition("a-3", 10, 77), new UnitPosition("b-3", 5, 77)))
                .orElseThrow()
                .progress();
        assertThat(KafkaClaim.readLog(progress, A, "a-3")).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaClaim.readLog(progress, B, "b-3")).isEqualTo(LogIdentity.NONE);
        assertThat(KafkaClaim.readLog(new UnitProgress(Map.of(A, 10L), "1234"), A, "a-3"))
                .isEqualTo(LogIdentity.NONE);
        assertThat(KafkaClaim.read(progress, A, "a-3", 10)).isEqualTo(new UnitPosition("a-3", 10, 77));
    }

    @Test
    void shouldLeaveOutPartitionsThatAreNotReadYet() {
        assertThat(claim.commit(List.of(new UnitPosition("a-3", -2, 77)))).isEmpty();
        assertThat(claim.commit(List.of(new UnitPosition("a-3", -2, 77), new UnitPosition("b-3", 0, 77)))
                        .orElseThrow()
                        .progress()
                        .positions())
                .containsOnlyKeys(B);
    }

    /** What there is no room for is late when it is read again, and not lost. The number of topics takes no room. */
    @Test
    void shouldFitIntoTheMetadataOfAnOffset() {
        ProcessedRanges seen = ProcessedRanges.NONE;
        for (long i = 0; i < 200; i++) {
            seen = seen.handled(1_000_000_000_000L + 10 * i, 1_000_000_000_000L + 10 * i + 5);
        }
        Map<String, UnitPartition> many = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            String topic = "t".repeat(240) + i;
            many.put(topic + "-3", new UnitPartition("one", topic, 3));
        }
        KafkaClaim wide = new KafkaClaim(new UnitOwnership(new WorkUnit(3), 1), many);
        List<UnitPosition> commits = new ArrayList<>();
        for (String unit : many.keySet()) {
            wide.setLog(unit, new LogIdentity("abcdefgh", 5));
            commits.add(new UnitPosition(unit, 10, 77, seen.closedUntil(1_700_000_000_000L)));
        }
        UnitCommit commit = wide.commit(commits).orElseThrow();
        StampedOffsets.offsets(List.of(commit), 1)
                .values()
                .forEach(offset -> assertThat(offset.metadata()).hasSizeBetween(1_800, 4_096));
        for (UnitPosition each : commits) {
            ProcessedRanges read = KafkaClaim.read(commit.progress(), many.get(each.unit()), each.unit(), 10)
                    .processed();
            assertThat(read.stretches()).hasSizeGreaterThan(10);
            assertThat(each.processed().stretches()).startsWith(read.stretches().toArray(ProcessedRanges.Range[]::new));
        }
    }

    /** Older versions stored all in the unit's metadata, with hashes of the names. */
    @Test
    void shouldReadWhatOlderVersionsHaveStoredUnderAHash() {
        UnitProgress former = new UnitProgress(
                Map.of(A, 10L, B, 5L), "77 171c7@abcdefgh.5 171c7=10-30:77 17588@ijklmnop.6 17588=5-8:77");
        assertThat(KafkaClaim.read(former, A, "a-3", 10)).isEqualTo(position("a-3", 10, 30));
        assertThat(KafkaClaim.read(former, B, "b-3", 5)).isEqualTo(position("b-3", 5, 8));
        assertThat(KafkaClaim.readLog(former, A, "a-3")).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaClaim.readLog(former, B, "b-3")).isEqualTo(new LogIdentity("ijklmnop", 6));
    }

    /** Older versions wrote the time alone, and the end of time at the end of the input, when nobody knows what was written. */
    @Test
    void shouldReadWhatOlderVersionsAndOthersHaveWritten() {
        assertThat(read("1234")).isEqualTo(new UnitPosition("a-3", 10, 1234));
        assertThat(read("-5")).isEqualTo(new UnitPosition("a-3", 10, -5));
        assertThat(read(Long.toString(Long.MAX_VALUE))).isEqualTo(new UnitPosition("a-3", 10, Long.MIN_VALUE));
        assertThat(read("")).isEqualTo(new UnitPosition("a-3", 10, Long.MIN_VALUE));
        assertThat(read("something else")).isEqualTo(new UnitPosition("a-3", 10, Long.MIN_VALUE));
    }

    private static UnitPosition read(String metadata) {
        return KafkaClaim.read(new UnitProgress(Map.of(A, 10L), metadata), A, "a-3", 10);
    }
}
