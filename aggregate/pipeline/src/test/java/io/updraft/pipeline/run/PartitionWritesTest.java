package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ProcessedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PartitionWritesTest {

    private final List<Long> written = new ArrayList<>();
    private final PartitionWrites writes = new PartitionWrites(
            new Partition(
                    "u", new Partition.Share("u", 1, null), 10, ProcessedRanges.NONE, new AtomicLong(), position -> ""),
            10,
            written::add);

    @Test
    void shouldTellEachChunkButBeDoneOnlyUpToTheFirstThatWaits() {
        PartitionWrites.ChunkWrite first = writes.begin(10, 20, 100);
        PartitionWrites.ChunkWrite second = writes.begin(20, 30, 200);
        PartitionWrites.ChunkWrite third = writes.begin(30, 40, 300);
        first.begin();
        first.finish();
        second.finish();
        assertThat(written).containsExactly(20L);
        assertThat(writes.done()).isEqualTo(10);
        assertThat(writes.takeAdvanced()).isFalse();
        assertThat(writes.waitingSince()).isEqualTo(100);
        first.finish();
        assertThat(writes.done()).isEqualTo(30);
        assertThat(writes.takeAdvanced()).isTrue();
        assertThat(writes.takeAdvanced()).isFalse();
        assertThat(writes.isDone()).isFalse();
        third.finish();
        assertThat(written).containsExactly(20L, 10L, 30L);
        assertThat(writes.done()).isEqualTo(40);
        assertThat(writes.isDone()).isTrue();
        assertThat(writes.waitingSince()).isEqualTo(Long.MAX_VALUE);
    }
}
