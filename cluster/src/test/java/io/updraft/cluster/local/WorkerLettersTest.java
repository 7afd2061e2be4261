package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.DeadLetter.Replay;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkerLettersTest {
    private final WorkerLetters letters = new WorkerLetters(3);

    @Test
    void shouldKeepTheLettersOfAProcessThatHasEnded() {
        letters.onChanged(List.of(letter(1, Replay.POSSIBLE), letter(3, Replay.COMPLETED)));
        letters.onEnd();
        letters.onReport(List.of(letter(101, Replay.POSSIBLE)));
        assertThat(numbers()).containsExactly(1L, 3L, 101L);
        assertThat(replays())
                .as("a result stays")
                .containsExactly(Replay.WORKER_ENDED, Replay.COMPLETED, Replay.POSSIBLE);
        letters.onEnd();
        assertThat(replays()).containsExactly(Replay.WORKER_ENDED, Replay.COMPLETED, Replay.WORKER_ENDED);
    }

    @Test
    void shouldNotSayThatAReplayIsInFlightAfterTheEnd() {
        letters.onChanged(
                List.of(letter(1, Replay.WAITING), letter(2, Replay.IN_FLIGHT), letter(3, Replay.FAILED_AGAIN)));
        letters.onEnd();
        assertThat(replays()).containsOnly(Replay.WORKER_ENDED).hasSize(3);
    }

    @Test
    void shouldTakeTheNewestStateOfALetter() {
        letters.onChanged(List.of(letter(1, Replay.POSSIBLE), letter(2, Replay.POSSIBLE)));
        letters.onChanged(List.of(letter(1, Replay.IN_FLIGHT)));
        assertThat(replays()).containsExactly(Replay.IN_FLIGHT, Replay.POSSIBLE);
    }

    @Test
    void shouldForgetWhatTheRunningProcessDoesNotKeep() {
        letters.onChanged(List.of(letter(1, Replay.POSSIBLE), letter(2, Replay.POSSIBLE)));
        letters.onReport(List.of(letter(2, Replay.POSSIBLE), letter(3, Replay.POSSIBLE)));
        assertThat(numbers()).containsExactly(2L, 3L);
    }

    @Test
    void shouldDropLettersOfEndedProcessesFirst() {
        letters.onChanged(List.of(letter(1, Replay.POSSIBLE), letter(2, Replay.POSSIBLE)));
        letters.onEnd();
        letters.onChanged(List.of(letter(11, Replay.POSSIBLE), letter(12, Replay.POSSIBLE)));
        assertThat(numbers()).containsExactly(2L, 11L, 12L);
        letters.onChanged(List.of(letter(13, Replay.POSSIBLE), letter(14, Replay.POSSIBLE)));
        assertThat(numbers()).containsExactly(12L, 13L, 14L);
    }

    @Test
    void shouldBoundTheLettersOfALargeStore() {
        WorkerLetters large = new WorkerLetters(1_000_000);
        large.onChanged(LongStream.rangeClosed(1, LetterRecord.MOST + 5)
                .mapToObj(number -> letter(number, Replay.POSSIBLE))
                .toList());
        assertThat(large.all()).hasSize(LetterRecord.MOST).first().isEqualTo(letter(6, Replay.POSSIBLE));
    }

    private static LetterRecord letter(long number, Replay replay) {
        return new LetterRecord(number, "spout", 4, "default", "id", "[1]", 2, "failed", 5, replay.name());
    }

    private List<Long> numbers() {
        return letters.all().stream().map(LetterRecord::number).toList();
    }

    private List<Replay> replays() {
        return letters.all().stream()
                .map(LetterRecord::toLetter)
                .map(letter -> letter.replay())
                .toList();
    }
}
