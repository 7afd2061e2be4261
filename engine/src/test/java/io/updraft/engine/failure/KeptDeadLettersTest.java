package io.updraft.engine.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeptDeadLettersTest {
    private static final int TASK = 3;

    private final KeptDeadLetters letters = new KeptDeadLetters(3, 1, WorkerOptions.ALONE);

    @Test
    void shouldKeepTheNewest() {
        LongStream.rangeClosed(1, 5).forEach(number -> add("v"));
        assertThat(numbers()).containsExactly(3L, 4L, 5L);
        assertThatThrownBy(() -> letters.request(List.of(3L, 2L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no dead letter 2 any more: only the newest are kept");
        assertThat(letters.isWaiting()).as("all or nothing").isFalse();
    }

    @Test
    void shouldKeepNoneIfNoneAreWanted() {
        KeptDeadLetters none = new KeptDeadLetters(0, 1, WorkerOptions.ALONE);
        DeadLetter letter = none.add("spout", TASK, "default", "id", List.of("v"), 2, "failed", 5, Replay.POSSIBLE);
        assertThat(letter.number()).isEqualTo(1);
        assertThat(none.letters()).isEmpty();
    }

    @Test
    void shouldBoundTheSize() {
        byte[] third = new byte[(int) (KeptDeadLetters.MOST_BYTES / 3)];
        add(third);
        add(Map.of("nested", List.of(third)));
        assertThat(numbers()).containsExactly(1L, 2L);
        add("x".repeat(third.length / 2));
        assertThat(numbers()).as("the estimate includes the objects").containsExactly(2L, 3L);
        add(new byte[(int) KeptDeadLetters.MOST_BYTES]);
        assertThat(numbers()).as("one that is too large drops no other").containsExactly(2L, 3L);
    }

    @Test
    void shouldDropCompletedLettersFirstAndNoneWhoseReplayIsOn() {
        add("a");
        add("b");
        add("c");
        letters.request(List.of(1L, 2L));
        letters.take(TASK);
        letters.completed(letters.take(TASK));
        add("d");
        assertThat(numbers()).containsExactly(1L, 3L, 4L);
        add("e");
        add("f");
        assertThat(numbers()).containsExactly(1L, 5L, 6L);
        letters.requestAll();
        add("g");
        assertThat(numbers()).as("all of the others are being replayed").containsExactly(1L, 5L, 6L);
    }

    @Test
    void shouldReplayALetterOnceForTwoRequests() {
        add("a");
        add("b");
        assertThat(letters.request(List.of(1L, 1L))).containsExactly(1L);
        assertThat(letters.requestAll()).containsExactly(2L);
        assertThat(letters.request(List.of(1L, 2L))).isEmpty();
        DeadLetter first = letters.take(TASK);
        assertThat(first.number()).isEqualTo(1);
        assertThat(letters.request(List.of(1L))).as("in flight").isEmpty();
        assertThat(letters.take(TASK + 1)).as("of another task").isNull();
        assertThat(letters.take(TASK).number()).isEqualTo(2);
        assertThat(letters.take(TASK)).isNull();
        assertThat(letters.isWaiting()).isFalse();
        letters.completed(first);
        assertThat(letters.requestAll()).as("completed").isEmpty();
        assertThat(states()).containsExactly(Replay.COMPLETED, Replay.IN_FLIGHT);
    }

    @Test
    void shouldReplayALetterAgainThatHasFailedAgain() {
        add("a");
        letters.requestAll();
        letters.failed(letters.take(TASK), "timed out");
        assertThat(letters.letters()).singleElement().satisfies(letter -> {
            assertThat(letter.replay()).isEqualTo(Replay.FAILED_AGAIN);
            assertThat(letter.failures()).isEqualTo(3);
            assertThat(letter.reason()).isEqualTo("timed out");
        });
        assertThat(letters.requestAll()).containsExactly(1L);
    }

    @Test
    void shouldRefuseWhatCannotBeReplayed() {
        assertThatThrownBy(() -> letters.request(List.of(7L))).hasMessage("there is no dead letter 7");
        letters.add("spout", TASK, "default", "id", List.of(), 2, "failed", 5, Replay.DIRECT_STREAM);
        assertThatThrownBy(() -> letters.request(List.of(1L)))
                .hasMessage("a replay of dead letter 1 is not possible, because its stream is direct");
        assertThat(letters.requestAll()).isEmpty();
    }

    @Test
    void shouldNumberTheLettersOfAllWorkersDifferently() {
        assertThat(firstNumbers(0, 1)).containsExactly(1L, 3L);
        assertThat(firstNumbers(1, 1)).containsExactly(2L, 4L);
        assertThat(firstNumbers(1, 2)).as("after a restart").containsExactly(2_000_002L, 2_000_004L);
    }

    private static List<Long> firstNumbers(int worker, int incarnation) {
        KeptDeadLetters own = new KeptDeadLetters(3, 2, new WorkerOptions(worker, incarnation, () -> {}));
        return LongStream.range(0, 2)
                .map(i -> own.add("spout", TASK, "default", "id", List.of(), 2, "failed", 5, Replay.POSSIBLE)
                        .number())
                .boxed()
                .toList();
    }

    private void add(Object... values) {
        letters.add("spout", TASK, "default", "id", Arrays.asList(values), 2, "failed", 5, Replay.POSSIBLE);
    }

    private List<Long> numbers() {
        return letters.letters().stream().map(DeadLetter::number).toList();
    }

    private List<Replay> states() {
        return letters.letters().stream().map(DeadLetter::replay).toList();
    }
}
