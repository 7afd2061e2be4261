package io.updraft.pipeline.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.kafka.unit.WorkUnit;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.UnitPosition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The metadata that is stored with offsets and read again. */
final class KafkaClaimTest {

    private static final UnitPartition A = new UnitPartition("one", "a", 3);
    private static final UnitPartition B = new UnitPartition("one", "b", 3);
    private final KafkaClaim claim = new KafkaClaim(new UnitOwnership(new WorkUnit(3), 1), Map.of("a-3", A, "b-3", B));

    @Test
    void shouldReadWhatItHasWrittenOfEachPartition() {
        UnitPosition a = new UnitPosition(
                "a-3", 10, 77, ProcessedRanges.NONE.handled(10, 30).closedUntil(77));
        UnitPosition b = new UnitPosition(
                "b-3", 5, 77, ProcessedRanges.NONE.handled(6, 8).closedUntil(50));
        UnitProgress progress = claim.commit(List.of(a, b)).orElseThrow().progress();
        assertThat(progress.positions()).isEqualTo(Map.of(A, 10L, B, 5L));
        assertThat(KafkaClaim.read(progress, "a-3", 10)).isEqualTo(a);
        assertThat(KafkaClaim.read(progress, "b-3", 5)).isEqualTo(b);
        assertThat(KafkaClaim.read(progress, "c-3", 0)).isEqualTo(new UnitPosition("c-3", 0, 77));
    }

    @Test
    void shouldKeepWhichLogEachPartitionWasReadFrom() {
        claim.setLog("a-3", new LogIdentity("abcdefgh", 5));
        UnitProgress progress = claim.commit(List.of(new UnitPosition("a-3", 10, 77), new UnitPosition("b-3", 5, 77)))
                .orElseThrow()
                .progress();
        assertThat(KafkaClaim.readLog(progress, "a-3")).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaClaim.readLog(progress, "b-3")).isEqualTo(LogIdentity.NONE);
        assertThat(KafkaClaim.readLog(new UnitProgress(Map.of(A, 10L), "1234"), "a-3"))
                .isEqualTo(LogIdentity.NONE);
        assertThat(KafkaClaim.read(progress, "a-3", 10)).isEqualTo(new UnitPosition("a-3", 10, 77));
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

    /** What there is no room for is late when it is read again, and not lost. */
    @Test
    void shouldFitIntoTheMetadataOfAnOffset() {
        ProcessedRanges seen = ProcessedRanges.NONE;
        for (long i = 0; i < 200; i++) {
            seen = seen.handled(1_000_000_000_000L + 10 * i, 1_000_000_000_000L + 10 * i + 5);
        }
        UnitPosition a = new UnitPosition("a-3", 10, 77, seen.closedUntil(1_700_000_000_000L));
        UnitPosition b = new UnitPosition("b-3", 10, 77, seen.closedUntil(1_700_000_000_000L));
        UnitProgress progress = claim.commit(List.of(a, b)).orElseThrow().progress();
        assertThat(progress.metadata()).hasSizeBetween(1_800, UnitProgress.MAX_METADATA);
        for (UnitPosition each : List.of(a, b)) {
            ProcessedRanges read = KafkaClaim.read(progress, each.unit(), 10).processed();
            assertThat(read.stretches()).hasSizeGreaterThan(10);
            assertThat(each.processed().stretches()).startsWith(read.stretches().toArray(ProcessedRanges.Range[]::new));
        }
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
        return KafkaClaim.read(new UnitProgress(Map.of(A, 10L), metadata), "a-3", 10);
    }
}
