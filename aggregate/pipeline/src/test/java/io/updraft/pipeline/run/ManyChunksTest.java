package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.updraft.pipeline.connector.ProcessedRanges;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What tracking a chunk takes does not depend on how many chunks of the file are tracked. */
final class ManyChunksTest {

    private static final int CHUNK = 256 << 10;
    private static final int CHUNKS = 20_000;
    private static final int REPORT_EVERY = 64;

    private final Partition file = new Partition(
            "file", new Partition.Share("s", 1, null), 0, ProcessedRanges.NONE, new AtomicLong(), position -> "");
    private ProcessedRanges seen = ProcessedRanges.NONE;

    private void handleInTurns(PartitionProgress... tasks) {
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            PartitionProgress task = tasks[chunk % tasks.length];
            long from = (long) chunk * CHUNK;
            task.handled(from, from, from + CHUNK, Long.MAX_VALUE, 0);
            if (chunk / tasks.length % REPORT_EVERY == REPORT_EVERY - 1) {
                seen = seen.handled(task.takeHandled());
            }
        }
        for (PartitionProgress task : tasks) {
            task.written(Long.MAX_VALUE);
            seen = seen.handled(task.takeHandled());
        }
    }

    @Test
    void shouldTrackTheChunksOfALargeFileThatTasksHandleInTurns() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        handleInTurns(new PartitionProgress(file, 0, true), new PartitionProgress(file, 0, true));
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(seen.closedUntil(7).text()).isEqualTo("0-" + (long) CHUNKS * CHUNK + ":7");
        assertThat(bytes / CHUNKS).as("bytes allocated for a chunk").isLessThan(1_500);
    }
}
