package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.engine.snapshot.LatencyHistogram;
import io.updraft.engine.snapshot.LatencySum;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.StreamsSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class SnapshotMergeTest {

    @Test
    void shouldAddCountsAndTakeTheWorstOfPercentiles() {
        EngineSnapshot merged = merge(List.of(part(10, 1, 100, false), part(20, 2, 50, true)));
        ComponentSnapshot sink = component(merged, "sink");
        assertThat(sink.executed()).isEqualTo(30);
        assertThat(sink.queued()).isEqualTo(3);
        assertThat(sink.backPressured()).isTrue();
        assertThat(sink.executeLatency()).isEqualTo(latency(100, 100, 2));
        assertThat(merged.edges()).containsExactly(new EdgeSnapshot("source", "default", "sink", true));
        assertThat(merged.loopBusyNanos()).containsExactly(10, 20);
    }

    @Test
    void shouldTakeTheNumbersOfTasksFromThePlan() {
        assertThat(component(merge(List.of()), "sink").tasks()).isEqualTo(4);
        assertThat(component(merge(List.of()), "sink").executors()).isEqualTo(2);
    }

    @Test
    void shouldKeepWhatADeadProcessDidAndForgetWhatItHeld() {
        EngineSnapshot earlier = SnapshotMerge.retire(null, part(10, 5, 100, true));
        earlier = SnapshotMerge.retire(earlier, part(7, 5, 100, true));
        ComponentSnapshot sink =
                component(merge(List.of(SnapshotMerge.continued(earlier, part(1, 2, 50, false)))), "sink");
        assertThat(sink.executed()).isEqualTo(18);
        assertThat(sink.queued()).isEqualTo(2);
        assertThat(sink.backPressured()).isFalse();
        assertThat(sink.streams().inputs()).containsExactly(input("a", 18), input("b", 3));
        assertThat(sink.byExecutor()).singleElement().satisfies(executor -> {
            assertThat(executor.firstTask()).isEqualTo(4);
            assertThat(executor.executed()).isEqualTo(18);
            assertThat(executor.streams().inputs()).containsExactly(input("a", 18), input("b", 3));
        });
    }

    @Test
    void shouldPutWhatWorkersDidThatHaveEndedToWhatThoseInTheirPlaceDo() {
        EngineSnapshot ended = SnapshotMerge.ended(merge(List.of(part(10, 5, 100, true), part(20, 5, 100, true))));
        EngineSnapshot merged = merge(List.of(ended, part(1, 2, 50, false)));
        ComponentSnapshot sink = component(merged, "sink");
        assertThat(sink.executed()).isEqualTo(31);
        assertThat(sink.queued()).isEqualTo(2);
        assertThat(sink.executors()).isEqualTo(2);
        assertThat(sink.backPressured()).isFalse();
        assertThat(merged.edges()).containsExactly(new EdgeSnapshot("source", "default", "sink", false));
        assertThat(merged.loopBusyNanos()).containsExactly(1);
    }

    @Test
    void shouldAddUpTheKeysOfRunningWorkersOnly() {
        EngineSnapshot busy = keyed(90, 10);
        EngineSnapshot even = keyed(0, 300);
        assertThat(busy.skewedKeys()).extracting(HotKey::permille).containsExactly(900L);
        assertThat(merge(List.of(busy, keyed(60, 40))).skewedKeys())
                .extracting(HotKey::key, HotKey::permille, HotKey::task, HotKey::taskPermille)
                .containsExactly(tuple("the", 750L, 2, 750L));
        assertThat(merge(List.of(busy, even)).skewedKeys()).isEmpty();
        assertThat(merge(List.of(SnapshotMerge.retire(null, busy))).skewedKeys())
                .isEmpty();
        assertThat(merge(List.of(SnapshotMerge.continued(even, busy))).skewedKeys())
                .hasSize(1);
    }

    private static EngineSnapshot keyed(long hot, long other) {
        EngineSnapshot part = part(1, 0, 1, false);
        return new EngineSnapshot(
                part.uptimeNanos(),
                part.active(),
                part.components(),
                part.edges(),
                part.loopBusyNanos(),
                part.inFlightTrees(),
                part.recentErrors(),
                part.calls(),
                List.of(new KeyedStream(
                        "source",
                        "default",
                        "sink",
                        "word",
                        new long[] {hot, other},
                        List.of(new KeyRate("the", 2, 0, hot)),
                        List.of())),
                List.of(),
                List.of());
    }

    @Test
    void shouldTakeNoLatencyOfAnIntervalFromADeadProcess() {
        EngineSnapshot earlier = SnapshotMerge.retire(null, part(10, 5, 100, false));
        ComponentSnapshot sink = component(SnapshotMerge.continued(earlier, part(1, 2, 50, false)), "sink");
        assertThat(sink.executeLatency()).isEqualTo(latency(50, 100, 2));
        assertThat(component(merge(List.of(earlier)), "sink").executeLatency()).isEqualTo(latency(0, 100, 1));
    }

    private static EngineSnapshot merge(List<EngineSnapshot> parts) {
        return new SnapshotMerge(plan()).merge(1, true, parts, List.of());
    }

    private static Plan plan() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new ReplayingSpout(1, Path.of("done")));
        builder.setBolt("sink", new ValueRecordingBolt(), 2).setNumTasks(4).shuffleGrouping("source");
        Map<String, Object> conf = Map.of();
        return Planner.plan("n", "n-1", builder.createTopology(), conf, EngineSettings.of(conf), Assignment.even(2));
    }

    static LatencySummary latency(long now, long total, long count) {
        LatencyHistogram all = new LatencyHistogram(7 * count, List.of(count));
        return new LatencySummary(now, now, now, total, total, all);
    }

    static EngineSnapshot part(long executed, long queued, long latency, boolean pressed) {
        ComponentSnapshot sink = new ComponentSnapshot(
                "sink",
                false,
                2,
                1,
                0,
                0,
                executed,
                0,
                0,
                0,
                0,
                queued,
                0,
                0,
                0,
                0,
                0,
                pressed,
                false,
                latency(latency, latency, 1),
                LatencySummary.EMPTY,
                List.of(new ExecutorSnapshot(
                        4,
                        0,
                        0,
                        executed,
                        0,
                        0,
                        0,
                        0,
                        new StreamsSnapshot(List.of(), List.of(input("a", executed), input("b", 1))))));
        return new EngineSnapshot(
                5,
                true,
                List.of(sink),
                List.of(new EdgeSnapshot("source", "default", "sink", pressed)),
                new long[] {executed},
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private static InputSnapshot input(String stream, long executed) {
        return new InputSnapshot(
                "source", stream, executed, 0, 0, new LatencySum(executed, 10 * executed), LatencySum.NONE);
    }

    static ComponentSnapshot component(EngineSnapshot snapshot, String id) {
        return snapshot.components().stream()
                .filter(component -> component.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
