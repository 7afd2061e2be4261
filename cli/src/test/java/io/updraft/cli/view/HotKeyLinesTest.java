package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.StreamsSnapshot;
import io.updraft.observe.view.HotKeyLines;
import io.updraft.observe.view.Snapshots;
import io.updraft.observe.view.TopologySample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HotKeyLinesTest {
    private static final String LINE =
            "hot key: 95% of split's tuples for count have word = the; task 9 (3 of 4) is 98%" + " busy, the others 4%";

    private static TopologySample sample(long seconds, long... busyMillis) {
        return new TopologySample(
                "wordcount",
                "running",
                snapshot(seconds - 10, new long[busyMillis.length], "default"),
                snapshot(seconds, busyMillis, "default"),
                List.of());
    }

    /** Executors of one task each; the first task is 7. */
    private static EngineSnapshot snapshot(long seconds, long[] busyMillis, String stream) {
        List<ExecutorSnapshot> executors = IntStream.range(0, busyMillis.length)
                .mapToObj(i -> new ExecutorSnapshot(
                        7 + i,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Snapshots.SECOND + busyMillis[i] * Snapshots.MILLI,
                        0,
                        new StreamsSnapshot(List.of(), List.of())))
                .toList();
        ComponentSnapshot count = new ComponentSnapshot(
                "count",
                false,
                4,
                4,
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
                executors);
        KeyedStream keyed = new KeyedStream(
                "split",
                stream,
                "count",
                "word",
                new long[] {1, 1, 97, 1},
                List.of(new KeyRate("the", 9, 2, 95)),
                List.of());
        return new EngineSnapshot(
                seconds * Snapshots.SECOND,
                true,
                List.of(count),
                List.of(),
                new long[1],
                0,
                List.of(),
                List.of(),
                List.of(keyed),
                List.of(),
                List.of());
    }

    @Test
    void shouldNameTheKeyAndHowBusyItsTaskIs() {
        assertThat(HotKeyLines.of(sample(20, 400, 400, 9_800, 400))).containsExactly(LINE);
    }

    @Test
    void shouldNameAStreamThatIsNotTheDefault() {
        TopologySample first =
                new TopologySample("wordcount", "running", null, snapshot(1, new long[4], "words"), List.of());
        assertThat(HotKeyLines.of(first))
                .singleElement()
                .asString()
                .startsWith(
                        "hot key: 95% of split's tuples for count (words) have word = the; task 9 (3 of 4) is 100%");
    }

    @Test
    void shouldSayNothingOfTheTaskIfNothingIsKnown() {
        assertThat(HotKeyLines.of(sample(20))).containsExactly(LINE.substring(0, LINE.indexOf(';')));
    }

    @Test
    void shouldRemindOnceAMinute() {
        HotKeyLines lines = new HotKeyLines();
        assertThat(lines.due(sample(20, 400, 400, 9_800, 400))).containsExactly(LINE);
        for (long second = 21; second < 80; second++) {
            assertThat(lines.due(sample(second, 0, 0, 1, 0))).isEmpty();
        }
        assertThat(lines.due(sample(80, 400, 400, 9_800, 400))).containsExactly(LINE);
        assertThat(lines.due(sample(81, 400, 400, 9_800, 400))).isEmpty();
    }

    @Test
    void shouldBeInBothViews() {
        TopologySample sample = sample(20, 400, 400, 9_800, 400);
        assertThat(new LiveFrame(120, 24, ZoneOffset.UTC).draw(sample).stream().map(TerminalLine::text))
                .contains(LINE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PlainView(new PrintStream(out, true, StandardCharsets.UTF_8), true, ZoneOffset.UTC).show(List.of(sample));
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly(LINE);
    }
}
