package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.LastSeen;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.observe.process.FullHeap;
import io.updraft.observe.view.Remark.Kind;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopologyRemarksTest {
    /** A spout with messages in flight, and a bolt that has executed some tuples. */
    private static EngineSnapshot holding(String bolt, long seconds, long executed, long acked, long oldestSeconds) {
        List<ComponentSnapshot> components = List.of(
                component("numbers", true, 100, 0, acked, 100 - acked), component(bolt, false, 0, executed, acked, 0));
        EngineSnapshot all = Snapshots.snapshot(seconds * Snapshots.SECOND, components);
        return new EngineSnapshot(
                all.uptimeNanos(),
                true,
                components,
                List.of(),
                new long[] {},
                100 - acked,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(new LastSeen("numbers", 0, "17", oldestSeconds * Snapshots.SECOND, "numbers", false)));
    }

    private static ComponentSnapshot component(
            String id, boolean spout, long emitted, long executed, long acked, long inFlight) {
        return new ComponentSnapshot(
                id,
                spout,
                1,
                1,
                emitted,
                emitted,
                executed,
                acked,
                0,
                0,
                0,
                0,
                inFlight,
                0,
                0,
                0,
                0,
                false,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                List.of());
    }

    private static Remarks remarks(EngineSnapshot before, EngineSnapshot now) {
        return TopologyRemarks.of(new TopologySample("t", "running", before, now, List.of()), ZoneOffset.UTC);
    }

    @Test
    void shouldNameABoltThatNeverAcksWhenAllStandsStill() {
        Remarks remarks = remarks(holding("sink", 6, 100, 0, 6), holding("sink", 7, 100, 0, 7));

        assertThat(remarks.lines()).extracting(Remark::kind).containsExactly(Kind.NEVER_ACKED);
        assertThat(remarks.state("running")).isEqualTo("no progress");
        assertThat(remarks.state("inactive")).isEqualTo("inactive");
    }

    @Test
    void shouldLetABoltHoldTuplesForAWhile() {
        assertThat(remarks(holding("window", 6, 50, 0, 6), holding("window", 7, 70, 0, 7))
                        .lines())
                .as("it executes tuples")
                .isEmpty();
        assertThat(remarks(holding("window", 19, 50, 0, 15), holding("window", 20, 70, 0, 16))
                        .lines())
                .as("a message may time out")
                .extracting(Remark::kind)
                .containsExactly(Kind.NEVER_ACKED);
        assertThat(remarks(holding("window", 19, 50, 1, 15), holding("window", 20, 70, 1, 16))
                        .lines())
                .as("it has acked")
                .isEmpty();
    }

    @Test
    void shouldNameTheLongestQueueWhenNoComponentHoldsAFullHeap() {
        TopologySample sample = new TopologySample(
                "t",
                "running",
                null,
                Snapshots.jammed(),
                List.of(),
                new FullHeap(95L << 20, 100L << 20, null),
                List.of(),
                null);

        assertThat(sample.fullHeaps())
                .containsExactly(
                        "the run has 95.0 MiB of 100.0 MiB for old objects in use after collections; no component's"
                                + " fields hold much of it; the longest queue is that of component 'count' (8190 tuples)");
    }

    @Test
    void shouldNotBlameComponentsOfStorm() {
        assertThat(remarks(holding("__eventlogger", 19, 50, 0, 15), holding("__eventlogger", 20, 50, 0, 16))
                        .lines())
                .isEmpty();
    }

    @Test
    void shouldShowIdenticalErrorsAsOne() {
        List<ErrorReport> errors = Stream.of("a", "b", "a", "a")
                .map(message -> new ErrorReport(0, "parse", 3, "execute", new IllegalStateException(message), ""))
                .toList();

        assertThat(ErrorGroup.of(errors))
                .extracting(group -> group.line(ZoneOffset.UTC))
                .containsExactly(
                        "00:00:00 parse[3] execute: IllegalStateException: b",
                        "00:00:00 parse[3] execute: IllegalStateException: a; 3 times");
    }

    @Test
    void shouldShowAFewRemarksOfAKindAndMarkAllComponents() {
        Remarks remarks = new Remarks();
        IntStream.range(0, 5).forEach(i -> remarks.add(Kind.STUCK, "bolt-" + i, "bolt-" + i + " in execute()"));
        remarks.add(Kind.DEADLOCK, "bolt-9", "bolt-9 in execute()");

        assertThat(remarks.lines())
                .extracting(Remark::line)
                .containsExactly(
                        "stuck: bolt-9 in execute()",
                        "stuck: bolt-0 in execute()",
                        "stuck: bolt-1 in execute()",
                        "stuck: bolt-2 in execute()",
                        "  ... and 2 more");
        assertThat(remarks.marks()).hasSize(6);
        assertThat(remarks.state("running")).isEqualTo("deadlock");
    }
}
