package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.StreamsSnapshot;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Four executors of one task each, 7 to 10; a step is a second. */
class HotKeyJudgeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int HOUR = 3_600;

    /** Tuples a second that the executors execute, all of them from the stream. */
    private static final long[] EXECUTED = {10, 10, 970, 10};

    private static final long[] SKEWED = {10 * HOUR, 10 * HOUR, 970 * HOUR, 10 * HOUR};
    private static final KeyRate THE = new KeyRate("the", 9, 2, 950 * HOUR);

    private final HotKeyJudge judge = new HotKeyJudge();
    private final long[] busyNanos = new long[4];
    private final long[] executed = new long[4];
    private int tasks = 4;
    private long now;

    /** Lets a second pass with these busy shares, in percent. Returns the hot keys. */
    private List<String> step(List<KeyedStream> keyed, int... busy) {
        now += SECOND;
        for (int i = 0; i < 4; i++) {
            busyNanos[i] += busy[i] * SECOND / 100;
            executed[i] += EXECUTED[i];
        }
        List<ExecutorSnapshot> executors = IntStream.range(0, 4)
                .mapToObj(i -> new ExecutorSnapshot(
                        7 + i, 0, 0, executed[i], 0, 0, busyNanos[i], 0, new StreamsSnapshot(List.of(), List.of())))
                .toList();
        return judge.judge(snapshot(keyed, executors)).stream().map(HotKey::key).toList();
    }

    private List<String> steps(int seconds, KeyedStream keyed, int... busy) {
        List<String> hot = List.of();
        for (int i = 0; i < seconds; i++) {
            hot = step(List.of(keyed), busy);
        }
        return hot;
    }

    private EngineSnapshot snapshot(List<KeyedStream> keyed, List<ExecutorSnapshot> executors) {
        ComponentSnapshot count = new ComponentSnapshot(
                "count",
                false,
                tasks,
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
        return new EngineSnapshot(
                now,
                true,
                List.of(count),
                List.of(),
                new long[1],
                0,
                List.of(),
                List.of(),
                keyed,
                List.of(),
                List.of());
    }

    private static KeyedStream stream(long[] tuplesPerHour, KeyRate key, Integer... overloadedTasks) {
        return new KeyedStream(
                "split", "default", "count", "word", tuplesPerHour, List.of(key), List.of(overloadedTasks));
    }

    private static KeyedStream skewed(Integer... overloadedTasks) {
        return stream(SKEWED, THE, overloadedTasks);
    }

    @Test
    void shouldNameAKeyThatOverloadsItsTaskForThreeSeconds() {
        assertThat(steps(3, skewed(), 10, 10, 98, 10)).isEmpty();
        assertThat(steps(1, skewed(), 10, 10, 98, 10)).containsExactly("the");
    }

    @Test
    void shouldNotNameAKeyWhoseTaskHasRoom() {
        assertThat(steps(20, skewed(), 0, 0, 1, 0)).isEmpty();
        assertThat(steps(20, skewed(), 0, 0, 60, 0)).isEmpty();
        assertThat(steps(20, skewed(9), 0, 0, 1, 0)).isEmpty();
    }

    @Test
    void shouldNotNameAKeyIfTheOtherExecutorsAreAsBusy() {
        assertThat(steps(20, skewed(), 98, 97, 99, 98)).isEmpty();
        assertThat(steps(20, skewed(), 70, 70, 90, 70)).isEmpty();
    }

    @Test
    void shouldNotNameAKeyThatDoesNotExplainTheLoadOfItsTask() {
        KeyRate tenPercent = new KeyRate("the", 9, 2, 110 * HOUR);
        assertThat(steps(20, stream(SKEWED, tenPercent), 10, 10, 98, 10)).isEmpty();
    }

    @Test
    void shouldNotNameTheKeyOfAStreamThatIsASmallPartOfTheLoad() {
        KeyedStream small = stream(new long[] {HOUR, HOUR, 97 * HOUR, HOUR}, new KeyRate("the", 9, 2, 95 * HOUR));
        assertThat(steps(20, small, 10, 10, 98, 10)).isEmpty();
    }

    @Test
    void shouldNameTheKeyOfABusyTaskThatSharesItsLoopAndHasALongQueue() {
        assertThat(steps(4, skewed(9), 5, 5, 55, 5)).containsExactly("the");
    }

    @Test
    void shouldNotNameAKeyThatComesAndGoes() {
        for (int i = 0; i < 20; i++) {
            assertThat(steps(1, i % 2 == 0 ? skewed() : stream(new long[] {1, 1, 1, 1}, THE), 10, 10, 98, 10))
                    .isEmpty();
        }
    }

    @Test
    void shouldNotFlickerAtTheLimit() {
        assertThat(steps(4, skewed(), 10, 10, 90, 10)).containsExactly("the");
        for (int i = 0; i < 20; i++) {
            assertThat(steps(1, skewed(), 10, 10, i % 3 == 0 ? 70 : 88, 10)).containsExactly("the");
        }
        assertThat(steps(8, skewed(), 10, 10, 20, 10)).isEmpty();
    }

    @Test
    void shouldNameTheKeyOfTheBusiestTaskFirst() {
        long[] both = {420 * HOUR, 10 * HOUR, 560 * HOUR, 10 * HOUR};
        KeyedStream first = new KeyedStream(
                "split",
                "default",
                "count",
                "word",
                both,
                List.of(new KeyRate("heavy", 9, 2, 550 * HOUR), new KeyRate("slow", 7, 0, 410 * HOUR)),
                List.of(7, 9));
        assertThat(steps(4, first, 99, 2, 70, 2)).containsExactly("slow", "heavy");
        assertThat(steps(8, first, 98, 2, 99, 2)).containsExactly("heavy", "slow");
    }

    @Test
    void shouldJudgeByTheQueuesWhereExecutorsOfOtherWorkersAreMissing() {
        tasks = 2;
        assertThat(steps(10, skewed(), 98, 98, 98, 98)).isEmpty();
        assertThat(steps(10, skewed(7, 8, 9), 98, 98, 98, 98)).isEmpty();
        assertThat(steps(4, skewed(9), 0, 0, 0, 0)).containsExactly("the");
    }

    @Test
    void shouldBeginAnewWhenTheTopologyDoes() {
        assertThat(steps(4, skewed(), 10, 10, 98, 10)).containsExactly("the");
        now = 0;
        assertThat(steps(1, skewed(), 10, 10, 10, 10)).isEmpty();
    }
}
