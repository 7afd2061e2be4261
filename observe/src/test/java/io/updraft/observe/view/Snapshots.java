package io.updraft.observe.view;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.LatencyHistogram;
import io.updraft.engine.snapshot.LatencySummary;
import java.util.List;

/** Fixed snapshots of a running word count. */
public final class Snapshots {
    public static final long SECOND = 1_000_000_000L;
    static final long MICRO = 1_000L;
    public static final long MILLI = 1_000_000L;

    private Snapshots() {}

    /** A topology that has just started. */
    public static EngineSnapshot atStart() {
        return snapshot(
                SECOND, List.of(component("count", false), component("lines", true), component("split", false)));
    }

    /** Ten seconds later: the counter is the bottleneck. */
    public static EngineSnapshot jammed() {
        List<ComponentSnapshot> components = List.of(
                new ComponentSnapshot(
                        "count",
                        false,
                        4,
                        4,
                        0,
                        0,
                        98_000_000,
                        98_000_000,
                        0,
                        0,
                        39 * SECOND,
                        8_190,
                        0,
                        0,
                        0,
                        0,
                        0,
                        true,
                        false,
                        latency(850, 3 * MICRO),
                        LatencySummary.EMPTY,
                        List.of()),
                new ComponentSnapshot(
                        "lines",
                        true,
                        1,
                        1,
                        12_000_000,
                        12_000_000,
                        0,
                        11_995_900,
                        0,
                        0,
                        4 * SECOND,
                        0,
                        4_096,
                        0,
                        0,
                        0,
                        0,
                        false,
                        true,
                        latency(400, 900),
                        latency(1_200 * MICRO, 9 * MILLI),
                        List.of()),
                new ComponentSnapshot(
                        "split",
                        false,
                        2,
                        2,
                        98_000_000,
                        98_000_000,
                        12_000_000,
                        12_000_000,
                        0,
                        0,
                        12 * SECOND,
                        512,
                        0,
                        0,
                        0,
                        0,
                        0,
                        true,
                        true,
                        latency(2 * MICRO, 14 * MICRO),
                        LatencySummary.EMPTY,
                        List.of()));
        return new EngineSnapshot(
                11 * SECOND,
                true,
                components,
                edges(true),
                new long[] {10 * SECOND, 9_700 * MILLI},
                4_096,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Ten seconds after the start: nothing jams, but a bolt blocks and fails. */
    public static EngineSnapshot troubled() {
        List<ComponentSnapshot> components = List.of(
                new ComponentSnapshot(
                        "count",
                        false,
                        4,
                        4,
                        0,
                        0,
                        50_000,
                        50_000,
                        0,
                        0,
                        SECOND,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        false,
                        latency(850, 3 * MICRO),
                        LatencySummary.EMPTY,
                        List.of()),
                new ComponentSnapshot(
                        "lines",
                        true,
                        1,
                        1,
                        10_000,
                        10_000,
                        0,
                        9_800,
                        130,
                        70,
                        SECOND,
                        0,
                        70,
                        0,
                        0,
                        3,
                        0,
                        false,
                        false,
                        latency(400, 900),
                        latency(30 * MILLI, 30 * SECOND),
                        List.of()),
                new ComponentSnapshot(
                        "split",
                        false,
                        2,
                        2,
                        50_000,
                        50_000,
                        9_930,
                        9_800,
                        130,
                        0,
                        2 * SECOND,
                        12,
                        0,
                        130,
                        2,
                        0,
                        1,
                        false,
                        false,
                        latency(2 * MICRO, 100 * MILLI),
                        LatencySummary.EMPTY,
                        List.of()));
        return new EngineSnapshot(
                11 * SECOND,
                true,
                components,
                edges(false),
                new long[] {SECOND, 2 * SECOND},
                70,
                List.of(error(0)),
                List.of(stuck("count", 105)),
                List.of(),
                List.of(),
                List.of());
    }

    /** A call of a component that has waited for a lock for some seconds. */
    public static CallInProgress stuck(String component, long seconds) {
        return new CallInProgress(
                component,
                3,
                "execute",
                seconds * SECOND,
                "updraft-" + component + "-3",
                "waiting for java.lang.Object@1b2c held by 'main'",
                false,
                List.of("java.base/java.lang.Object.wait(Native Method)", "example.Count.execute(Count.java:17)"));
    }

    /** A spout with the given numbers of completed and failed tuple trees. */
    public static EngineSnapshot counted(long completed, long failed) {
        ComponentSnapshot lines = new ComponentSnapshot(
                "lines",
                true,
                1,
                1,
                completed,
                completed,
                0,
                completed,
                failed,
                0,
                SECOND,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                List.of());
        return snapshot(SECOND, List.of(lines.plusErrors(failed)));
    }

    public static ErrorReport error(long timeMillis) {
        return new ErrorReport(
                timeMillis,
                "split",
                3,
                "execute",
                new NumberFormatException("For input string: \"x\"\n  in line 7"),
                "tuple failed, instance rebuilt");
    }

    /** A topology of these components, without streams of its own. */
    public static EngineSnapshot snapshot(long uptime, List<ComponentSnapshot> components) {
        return new EngineSnapshot(
                uptime,
                true,
                components,
                edges(false),
                new long[2],
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** A component that has done nothing. */
    public static ComponentSnapshot component(String id, boolean spout) {
        return new ComponentSnapshot(
                id,
                spout,
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
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

    private static List<EdgeSnapshot> edges(boolean jammed) {
        return List.of(
                new EdgeSnapshot("lines", "default", "split", jammed),
                new EdgeSnapshot("lines", "end", "count", false),
                new EdgeSnapshot("split", "default", "count", jammed));
    }

    private static LatencySummary latency(long p50, long p99) {
        LatencyHistogram all = new LatencyHistogram(1_000 * p50, List.of(0L, 990L, 10L));
        return new LatencySummary(p50, p99, 2 * p99, p50, p99, all);
    }
}
