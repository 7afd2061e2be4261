package io.updraft.pipeline.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.StampedOffsets;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
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
final class KafkaShareTest {

    private static final ClusterPartition A = new ClusterPartition("one", "a", 3);
    private static final ClusterPartition B = new ClusterPartition("one", "b", 3);
    private static final ClusterPartition C = new ClusterPartition("one", "c", 3);
    private final KafkaShare share = new KafkaShare(new Share.Ownership(new Share(3), 1), Map.of("a-3", A, "b-3", B));

    @Test
    void shouldReadWhatItHasWrittenOfEachPartition() {
        PartitionPosition a = position("a-3", 10, 30);
        PartitionPosition b = position("b-3", 5, 8);
        Share.Progress progress = share.commit(List.of(a, b)).orElseThrow().progress();
        assertThat(progress.positions()).isEqualTo(Map.of(A, 10L, B, 5L));
        assertThat(KafkaShare.read(progress, A, "a-3", 10)).isEqualTo(a);
        assertThat(KafkaShare.read(progress, B, "b-3", 5)).isEqualTo(b);
        assertThat(KafkaShare.read(progress, C, "c-3", 0)).isEqualTo(new PartitionPosition("c-3", 0, 77));
    }

    /** Some have one hash code, others differ by a dot and an underscore only. */
    @ParameterizedTest
    @CsvSource({"plant-B1-3, plant-AP-3", "plant.a-3, plant_a-3", "Aa-3, BB-3"})
    void shouldTellPartitionsApartWhoseNamesAreAlike(String one, String other) {
        KafkaShare both = new KafkaShare(new Share.Ownership(new Share(3), 1), Map.of(one, A, other, B));
        both.setLog(one, new LogIdentity("abcdefgh", 5));
        both.setLog(other, new LogIdentity("ijklmnop", 6));
        PartitionPosition first = position(one, 10, 30);
        PartitionPosition second = position(other, 500, 508);
        Share.Progress progress = stored(both.commit(List.of(first, second)).orElseThrow());
        assertThat(KafkaShare.read(progress, A, one, 10)).isEqualTo(first);
        assertThat(KafkaShare.read(progress, B, other, 500)).isEqualTo(second);
        assertThat(KafkaShare.readLog(progress, A, one)).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaShare.readLog(progress, B, other)).isEqualTo(new LogIdentity("ijklmnop", 6));
    }

    @Test
    void shouldKeepWhatWasHandledOfAPartitionThatALaterCommitDoesNotName() {
        PartitionPosition a = position("a-3", 10, 30);
        Share.Commit first = share.commit(List.of(a, position("b-3", 5, 8))).orElseThrow();
        PartitionPosition b = position("b-3", 20, 25);
        Share.Commit second = share.commit(List.of(b)).orElseThrow();
        Share.Progress progress = stored(first, second);
        assertThat(KafkaShare.read(progress, A, "a-3", 10)).isEqualTo(a);
        assertThat(KafkaShare.read(progress, B, "b-3", 20)).isEqualTo(b);
        assertThat(first.progress().then(second.progress())).isEqualTo(progress);
    }

    private static PartitionPosition position(String share, long from, long to) {
        ProcessedRanges handled = ProcessedRanges.NONE.handled(from, to).closedUntil(77);
        return new PartitionPosition(share, from, 77, handled);
    }

    /** Returns the progress that the next owner reads from the committed offsets. */
    private static Share.Progress stored(Share.Commit... commits) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int i = 0; i < commits.length; i++) {
            offsets.putAll(StampedOffsets.offsets(List.of(commits[i]), i));
        }
        return StampedOffsets.progress(List.of(A, B), offsets);
    }

    @Test
    void shouldKeepWhichLogEachPartitionWasReadFrom() {
        share.setLog("a-3", new LogIdentity("abcdefgh", 5));
        Share.Progress progress = share.commit(
                        List.of(new PartitionPosition("a-3", 10, 77), new PartitionPosition("b-3", 5, 77)))
                .orElseThrow()
                .progress();
        assertThat(KafkaShare.readLog(progress, A, "a-3")).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaShare.readLog(progress, B, "b-3")).isEqualTo(LogIdentity.NONE);
        assertThat(KafkaShare.readLog(new Share.Progress(Map.of(A, 10L), "1234"), A, "a-3"))
                .isEqualTo(LogIdentity.NONE);
        assertThat(KafkaShare.read(progress, A, "a-3", 10)).isEqualTo(new PartitionPosition("a-3", 10, 77));
    }

    @Test
    void shouldLeaveOutPartitionsThatAreNotReadYet() {
        assertThat(share.commit(List.of(new PartitionPosition("a-3", -2, 77)))).isEmpty();
        assertThat(share.commit(List.of(new PartitionPosition("a-3", -2, 77), new PartitionPosition("b-3", 0, 77)))
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
        Map<String, ClusterPartition> many = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            String topic = "t".repeat(240) + i;
            many.put(topic + "-3", new ClusterPartition("one", topic, 3));
        }
        KafkaShare wide = new KafkaShare(new Share.Ownership(new Share(3), 1), many);
        List<PartitionPosition> commits = new ArrayList<>();
        for (String share : many.keySet()) {
            wide.setLog(share, new LogIdentity("abcdefgh", 5));
            commits.add(new PartitionPosition(share, 10, 77, seen.closedUntil(1_700_000_000_000L)));
        }
        Share.Commit commit = wide.commit(commits).orElseThrow();
        StampedOffsets.offsets(List.of(commit), 1)
                .values()
                .forEach(offset -> assertThat(offset.metadata()).hasSizeBetween(1_800, 4_096));
        for (PartitionPosition each : commits) {
            ProcessedRanges read = KafkaShare.read(commit.progress(), many.get(each.partition()), each.partition(), 10)
                    .processed();
            assertThat(read.stretches()).hasSizeGreaterThan(10);
            assertThat(each.processed().stretches()).startsWith(read.stretches().toArray(ProcessedRanges.Range[]::new));
        }
    }

    /** Older versions stored all in the share's metadata, with hashes of the names. */
    @Test
    void shouldReadWhatOlderVersionsHaveStoredUnderAHash() {
        Share.Progress former = new Share.Progress(
                Map.of(A, 10L, B, 5L), "77 171c7@abcdefgh.5 171c7=10-30:77 17588@ijklmnop.6 17588=5-8:77");
        assertThat(KafkaShare.read(former, A, "a-3", 10)).isEqualTo(position("a-3", 10, 30));
        assertThat(KafkaShare.read(former, B, "b-3", 5)).isEqualTo(position("b-3", 5, 8));
        assertThat(KafkaShare.readLog(former, A, "a-3")).isEqualTo(new LogIdentity("abcdefgh", 5));
        assertThat(KafkaShare.readLog(former, B, "b-3")).isEqualTo(new LogIdentity("ijklmnop", 6));
    }

    /** Older versions wrote the time alone, and the end of time at the end of the input, when nobody knows what was written. */
    @Test
    void shouldReadWhatOlderVersionsAndOthersHaveWritten() {
        assertThat(read("1234")).isEqualTo(new PartitionPosition("a-3", 10, 1234));
        assertThat(read("-5")).isEqualTo(new PartitionPosition("a-3", 10, -5));
        assertThat(read(Long.toString(Long.MAX_VALUE))).isEqualTo(new PartitionPosition("a-3", 10, Long.MIN_VALUE));
        assertThat(read("")).isEqualTo(new PartitionPosition("a-3", 10, Long.MIN_VALUE));
        assertThat(read("something else")).isEqualTo(new PartitionPosition("a-3", 10, Long.MIN_VALUE));
    }

    private static PartitionPosition read(String metadata) {
        return KafkaShare.read(new Share.Progress(Map.of(A, 10L), metadata), A, "a-3", 10);
    }
}
