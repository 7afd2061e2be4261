package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.local.ControlMessage.StateReport;
import io.updraft.cluster.local.WorkerSlot.RestartDelay;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.observe.process.JvmUsage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerSlotTest {
    @TempDir
    private Path directory;

    private WorkerSlot slot() {
        return new WorkerSlot(
                0, new WorkerCommand(List.of("sleep"), directory, "%p"), new RestartDelay(1), new WorkerLetters(1000));
    }

    private static StateReport report(long question, long latency) {
        return new StateReport(question, SnapshotMergeTest.part(10, 0, latency, false), JvmUsage.START, false, null);
    }

    private static LatencySummary latency(WorkerSlot slot) {
        return SnapshotMergeTest.component(slot.read(), "sink").executeLatency();
    }

    @Test
    void shouldGiveTheLatenciesOfAReportOnceWhenAWorkerDoesNotAnswer() {
        WorkerSlot slot = slot();
        slot.onState(report(1, 100));
        assertThat(latency(slot)).isEqualTo(SnapshotMergeTest.latency(100, 100, 1));
        assertThat(latency(slot)).isEqualTo(SnapshotMergeTest.latency(0, 100, 1));
        slot.onState(report(2, 50));
        assertThat(latency(slot)).isEqualTo(SnapshotMergeTest.latency(50, 50, 1));
    }
}
