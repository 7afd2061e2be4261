package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.observe.view.Snapshots;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LiveFrameTest {

    @Test
    void shouldMarkTheBottleneckInEightyColumns() {
        assertThat(draw(80, 24, Snapshots.jammed()))
                .containsExactly(
                        "wordcount  running 00:00:11   4.10k trees in flight   loops 100% 97%",
                        "since the start: 11,995,900 acked, 0 failed, 0 errors",
                        "                                                       execute    complete",
                        "  component emit/s exec/s ack/s fail/s  busy  wait   p50   p99   p50   p99",
                        "  lines      1.20M      - 1.20M      0   40% 4.10k 400ns 900ns 1.2ms 9.0ms",
                        "  split      9.80M  1.20M 1.20M      0   60%   512 2.0us  14us     -     -",
                        "> count          0  9.80M 9.80M      0   98% 8.19k 850ns 3.0us     -     -",
                        "bottleneck: count: 98% busy, holds back split, 8.19k queued, no idle loop",
                        "back-pressured: lines -> split, split -> count");
    }

    @Test
    void shouldShowBlockingTimeoutsRestartsAndErrors() {
        assertThat(draw(80, 24, Snapshots.troubled()))
                .containsExactly(
                        "wordcount  running 00:00:11   70 trees in flight   loops 10% 20%",
                        "since the start: 9,800 acked, 130 failed, 130 errors",
                        "                                                       execute    complete",
                        "  component emit/s exec/s ack/s fail/s  busy  wait   p50   p99   p50   p99",
                        "! lines      1.00k      -   980     13   10%    70 400ns 900ns  30ms   30s",
                        "! split      5.00k    993   980     13   10%    12 2.0us 100ms     -     -",
                        "! count          0  5.00k 5.00k      0    3%     0 850ns 3.0us     -     -",
                        "stuck: count task 3 in execute() for 1m45s at Count.java:17, waiting for",
                        "  java.lang.Object@1b2c held by 'main'",
                        "failing: lines: 13 tuple trees/s fail",
                        "failing: split: 13 tuples/s fail",
                        "timed out since the start: lines 70; tuples may be in split (12 queued, calls",
                        "  block)",
                        "dead-lettered: lines 3",
                        "errors: split 130",
                        "  00:00:00 split[3] execute: NumberFormatException: For input string: \"x\" in",
                        "  line 7 (tuple failed, instance rebuilt)",
                        "restarts: split 2",
                        "blocking (own thread): split 1");
    }

    @Test
    void shouldDropColumnsBeforeItCutsWhatMatters() {
        assertThat(draw(44, 24, Snapshots.jammed()))
                .containsExactly(
                        "wordcount  running 00:00:11   4.10k trees i~",
                        "since the start: 11,995,900 acked, 0 failed~",
                        "  component exec/s ack/s fail/s  busy  wait",
                        "  lines          - 1.20M      0   40% 4.10k",
                        "  split      1.20M 1.20M      0   60%   512",
                        "> count      9.80M 9.80M      0   98% 8.19k",
                        "bottleneck: count: 98% busy, holds back",
                        "  split, 8.19k queued, no idle loop",
                        "back-pressured: lines -> split, split ->",
                        "  count");
    }

    @Test
    void shouldShowTotalsAsColumnsInAWideWindow() {
        assertThat(draw(110, 24, Snapshots.troubled()).subList(0, 5))
                .containsExactly(
                        "wordcount  running 00:00:11   70 trees in flight   loops 10% 20%",
                        "                                                       execute    complete"
                                + "                 since the start",
                        "  component emit/s exec/s ack/s fail/s  busy  wait   p50   p99   p50   p99"
                                + "  emit  exec acked failed errors",
                        "! lines      1.00k      -   980     13   10%    70 400ns 900ns  30ms   30s"
                                + " 10.0k     - 9.80k    130      0",
                        "! split      5.00k    993   980     13   10%    12 2.0us 100ms     -     -"
                                + " 50.0k 9.93k 9.80k    130    130");
    }

    @Test
    void shouldKeepTheBottleneckAndOneRemarkInALowWindow() {
        assertThat(draw(80, 5, Snapshots.jammed()))
                .containsExactly(
                        "wordcount  running 00:00:11   4.10k trees in flight   loops 100% 97%",
                        "  component emit/s exec/s ack/s fail/s  busy  wait",
                        "  ... 2 more, at most 60% busy, 1 of them in trouble",
                        "> count          0  9.80M 9.80M      0   98% 8.19k",
                        "bottleneck: count: 98% busy, holds back split, 8.19k queued, no idle ~ (+1 more)");
    }

    @Test
    void shouldNeverDrawMoreThanTheWindowHolds() {
        for (int width = 1; width < 120; width++) {
            for (int height = 1; height < 20; height++) {
                int columns = width;
                assertThat(draw(width, height, Snapshots.troubled()))
                        .hasSizeLessThanOrEqualTo(height)
                        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
            }
        }
    }

    @Test
    void shouldSumUpManyLoops() {
        long[] busy = IntStream.rangeClosed(1, 64)
                .mapToLong(loop -> loop * Snapshots.SECOND / 64)
                .toArray();
        EngineSnapshot start = Snapshots.atStart();
        EngineSnapshot many = new EngineSnapshot(
                Snapshots.SECOND,
                true,
                start.components(),
                start.edges(),
                busy,
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        TopologySample sample = new TopologySample("big", "running", null, many, List.of());
        assertThat(new LiveFrame(80, 24, ZoneOffset.UTC).draw(sample).get(0).text())
                .isEqualTo("big  running 00:00:01   0 trees in flight   loops 2%..100%");
    }

    private static List<String> draw(int width, int height, EngineSnapshot now) {
        TopologySample sample = new TopologySample("wordcount", "running", Snapshots.atStart(), now, List.of());
        return new LiveFrame(width, height, ZoneOffset.UTC)
                .draw(sample).stream().map(TerminalLine::text).toList();
    }
}
