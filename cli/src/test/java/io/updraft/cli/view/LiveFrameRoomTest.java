package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.StreamsSnapshot;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.process.WorkerStatus.State;
import io.updraft.observe.view.Bottleneck;
import io.updraft.observe.view.Snapshots;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the live view shows when the window has little room, and when it has much. */
@Tag("one-jdk")
class LiveFrameRoomTest {
    private static final long SECOND = Snapshots.SECOND;
    private static final String[] NAMES = {
        "b",
        "\u5206\u8bcd\u5668",
        "\ud83d\ude00\ud83d\udc4d",
        "e\u0301t\u00e9",
        "tab\tnew\nline",
        "\u202eright",
        "\ud800",
        "a-very-long-name-of-a-component-that-no-window-holds-and-that-somebody-has-generated",
        " "
    };

    private final List<EdgeSnapshot> edges = new ArrayList<>();
    private final List<CallInProgress> calls = new ArrayList<>();
    private final List<KeyedStream> hotKeys = new ArrayList<>();
    private final List<ErrorReport> errors = new ArrayList<>();
    private final List<WorkerStatus> workers = new ArrayList<>();

    @Test
    void shouldShowWhatMattersOfFortyComponentsInEightyColumns() {
        List<ComponentSnapshot> components = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String id = String.format("step-%02d", i);
            components.add(component(id, i == 0, i == 27 ? 100 : i, i == 27, 0, executors(2, SECOND / 4)));
            if (i > 0) {
                edges.add(new EdgeSnapshot(String.format("step-%02d", i - 1), "default", id, i == 27));
            }
        }
        IntStream.of(5, 17, 33).forEach(i -> calls.add(Snapshots.stuck("step-" + String.format("%02d", i), 5)));
        IntStream.of(9, 21, 30).forEach(i -> hotKeys.add(hotKey("step-" + String.format("%02d", i), "the")));
        IntStream.range(0, 10).forEach(i -> errors.add(error("step-" + (10 + i))));
        IntStream.range(0, 4).forEach(i -> workers.add(worker(i, i == 0 ? State.DOWN : State.RUNNING)));
        List<String> lines = draw(sample(components), 80, 24);
        assertThat(lines)
                .hasSize(24)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
                .anySatisfy(line -> assertThat(line).startsWith("> step-27 "))
                .anySatisfy(line -> assertThat(line).startsWith("! step-05 "))
                .anySatisfy(line -> assertThat(line).matches("  \\.\\.\\. \\d+ more, at most \\d+% busy.*"))
                .anySatisfy(line -> assertThat(line).startsWith("stuck: step-05 task 3"))
                .anySatisfy(line -> assertThat(line).startsWith("bottleneck: step-27: 100% busy, holds back step-26"))
                .anySatisfy(line -> assertThat(line).startsWith("hot key: 80% of lines's tuples for step-09"))
                .anySatisfy(line -> assertThat(line).startsWith("workers: 3 of 4 up"))
                .anySatisfy(line -> assertThat(line).startsWith("  12:00:00 step-19[3] execute"))
                .last()
                .asString()
                .matches("\\.\\.\\. \\d+ more remarks; updraft errors, updraft ps");
    }

    @Test
    void shouldListTheExecutorsOfTheBottleneckIfThereIsRoom() {
        List<ExecutorSnapshot> counts = List.of(executor(4, SECOND), executor(5, SECOND / 10), executor(6, SECOND / 5));
        List<ComponentSnapshot> components = List.of(
                component("lines", true, 10, false, 0, executors(3, SECOND / 10)),
                component("count", false, 95, false, 0, counts));
        edges.add(new EdgeSnapshot("lines", "default", "count", false));
        assertThat(draw(sample(components), 80, 24))
                .containsSubsequence(
                        "  lines          0      -     0      0   10%     0     -     -     -     -",
                        "> count          0      0     0      0   95%     0     -     -     -     -",
                        "    task 4       0  1.00k 1.00k      0  100%",
                        "    task 5       0    100   100      0   10%",
                        "    task 6       0    200   200      0   20%",
                        "bottleneck: count: 95% busy in execute")
                .noneMatch(line -> line.startsWith("    task 1 "));
        assertThat(draw(sample(components), 80, 8))
                .contains("    task 4       0  1.00k 1.00k      0  100%", "    ... 2 more, at most 20% busy");
        assertThat(draw(sample(components), 80, 6)).noneMatch(line -> line.contains("task"));
    }

    @Test
    void shouldContinueLongRemarksOnTheNextLineBeforeItShowsIdleComponents() {
        List<ComponentSnapshot> components = IntStream.range(0, 40)
                .mapToObj(i -> component("step-" + i, false, 1, false, 0, executors(2, SECOND / 4)))
                .toList();
        hotKeys.add(hotKey("step-9", "the"));
        assertThat(draw(sample(components), 80, 24))
                .hasSize(24)
                .containsSequence(
                        "hot key: 80% of lines's tuples for step-9 have word = the; task 1 (1 of 2) is",
                        "  25% busy, the others 25%");
    }

    @Test
    void shouldListTheExecutorsOfAComponentWithAHotKey() {
        List<ComponentSnapshot> components = List.of(component("count", false, 30, false, 0, executors(2, SECOND / 3)));
        hotKeys.add(hotKey("count", "the"));
        assertThat(draw(sample(components), 80, 24))
                .anySatisfy(line -> assertThat(line).startsWith("! count "))
                .anySatisfy(line -> assertThat(line).matches("    task 1 .* 33%"));
    }

    @Test
    void shouldCountTopologiesThatHaveNoRoom() {
        TopologySample sample = sample(List.of(component("count", false, 30, false, 0, List.of())));
        List<TerminalLine> lines =
                LiveFrame.drawAll(IntStream.range(0, 20).mapToObj(i -> sample).toList(), 80, 12, ZoneOffset.UTC);
        assertThat(lines)
                .hasSize(12)
                .last()
                .extracting(TerminalLine::text)
                .isEqualTo("... 15 more topologies; updraft ps");
    }

    @Test
    void shouldAlwaysFitIntoTheWindowWithTheBottlenecksRow() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            TopologySample sample = random(random);
            int width = 20 + random.nextInt(281);
            int height = random.nextBoolean() ? 5 + random.nextInt(20) : 5 + random.nextInt(96);
            List<String> lines = draw(sample, width, height);
            assertThat(lines)
                    .as("seed %d", seed)
                    .hasSizeLessThanOrEqualTo(height)
                    .allSatisfy(line -> {
                        assertThat(TerminalLine.width(line)).isLessThanOrEqualTo(width);
                        assertThat(line.chars()).noneMatch(Character::isISOControl);
                    });
            if (Bottleneck.of(sample).isPresent()) {
                assertThat(lines).as("seed %d", seed).anyMatch(line -> line.startsWith("> "));
            }
        }
    }

    private static List<String> draw(TopologySample sample, int width, int height) {
        return LiveFrame.drawAll(List.of(sample), width, height, ZoneOffset.UTC).stream()
                .map(TerminalLine::text)
                .toList();
    }

    private TopologySample random(Random random) {
        List.of(edges, calls, hotKeys, errors, workers).forEach(List::clear);
        List<ComponentSnapshot> components = new ArrayList<>();
        int size = 1 + random.nextInt(random.nextBoolean() ? 10 : 200);
        for (int i = 0; i < size; i++) {
            int busy = random.nextInt(random.nextInt(10) == 0 ? 101 : 60);
            components.add(component(
                    NAMES[random.nextInt(NAMES.length)] + i,
                    random.nextInt(5) == 0,
                    busy,
                    random.nextInt(10) == 0,
                    random.nextInt(10) == 0 ? random.nextLong(1L << (1 + random.nextInt(62))) : 0,
                    executors(random.nextInt(9), busy * SECOND / 100)));
        }
        edges.clear();
        for (int i = random.nextInt(300); i > 0; i--) {
            edges.add(new EdgeSnapshot(
                    any(components, random), "default", any(components, random), random.nextBoolean()));
        }
        IntStream.range(0, random.nextInt(6)).forEach(i -> calls.add(Snapshots.stuck(any(components, random), i)));
        IntStream.range(0, random.nextInt(6))
                .forEach(i -> hotKeys.add(hotKey(any(components, random), NAMES[random.nextInt(NAMES.length)])));
        IntStream.range(0, random.nextInt(12)).forEach(i -> errors.add(error(any(components, random))));
        State[] states = State.values();
        IntStream.range(0, random.nextInt(8))
                .forEach(i -> workers.add(worker(i, states[random.nextInt(states.length)])));
        return sample(components);
    }

    private static String any(List<ComponentSnapshot> components, Random random) {
        return components.get(random.nextInt(components.size())).id();
    }

    private TopologySample sample(List<ComponentSnapshot> components) {
        EngineSnapshot now = new EngineSnapshot(
                SECOND,
                true,
                components,
                List.copyOf(edges),
                new long[] {SECOND / 2, SECOND / 3},
                17,
                List.copyOf(errors),
                List.copyOf(calls),
                List.copyOf(hotKeys),
                List.of(),
                List.of());
        return new TopologySample("topology", "running", null, now, List.copyOf(workers));
    }

    private static ComponentSnapshot component(
            String id, boolean spout, int busy, boolean backPressured, long failed, List<ExecutorSnapshot> executors) {
        int number = Math.max(1, executors.size());
        return new ComponentSnapshot(
                id,
                spout,
                number,
                number,
                0,
                0,
                0,
                0,
                failed,
                0,
                number * busy * SECOND / 100,
                0,
                0,
                failed,
                0,
                failed,
                0,
                backPressured,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                executors);
    }

    private static List<ExecutorSnapshot> executors(int number, long busyNanos) {
        return IntStream.rangeClosed(1, number)
                .mapToObj(task -> executor(task, busyNanos))
                .toList();
    }

    private static ExecutorSnapshot executor(int task, long busyNanos) {
        long tuples = busyNanos / 1_000_000;
        return new ExecutorSnapshot(task, 0, 0, tuples, tuples, 0, busyNanos, 0, StreamsSnapshot.NONE);
    }

    private static KeyedStream hotKey(String to, String key) {
        return new KeyedStream(
                "lines", "default", to, "word", new long[] {900, 100}, List.of(new KeyRate(key, 1, 0, 800)), List.of());
    }

    private static ErrorReport error(String component) {
        return new ErrorReport(
                12 * 3_600_000L, component, 3, "execute", new IllegalStateException("no \u5206\nrow"), "tuple failed");
    }

    private static WorkerStatus worker(int number, State state) {
        return new WorkerStatus(
                number, 100 + number, state, SECOND, number, number == 0 ? "exit code 3" : null, 0, null, null);
    }
}
