package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.failure.KeptDeadLetters;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class LetterReporterTest {
    private static final int TASK = 3;

    private final KeptDeadLetters letters = new KeptDeadLetters(10, 1, WorkerOptions.ALONE);
    private final List<List<LetterRecord>> reports = new CopyOnWriteArrayList<>();

    @Test
    void shouldReportNewAndChangedLettersOnly() throws Exception {
        LetterReporter reporter = new LetterReporter(letters::letters, report -> reports.add(report.letters()));
        add("a");
        add("b");
        awaitReported(2, Replay.POSSIBLE);
        int before = reports.size();
        letters.request(List.of(1L));
        awaitReported(1, Replay.WAITING);
        assertThat(reports.subList(before, reports.size()))
                .singleElement()
                .satisfies(report ->
                        assertThat(report).extracting(LetterRecord::number).containsExactly(1L));
        letters.completed(letters.take(TASK));
        reporter.end();
        assertThat(newest())
                .as("the end waits for the last report")
                .extracting(LetterRecord::number, LetterRecord::replay)
                .containsExactly(tuple(1L, "COMPLETED"));
        assertThat(reports).hasSize(before + 2);
    }

    @Test
    void shouldReportTheValuesAsText() throws Exception {
        LetterReporter reporter = new LetterReporter(letters::letters, report -> reports.add(report.letters()));
        add("a", 7, null);
        reporter.end();
        assertThat(newest())
                .singleElement()
                .satisfies(letter -> assertThat(letter.values()).isEqualTo("[\"a\",7,null]"));
    }

    private void awaitReported(long number, Replay replay) throws Exception {
        Await.until(
                "letter " + number + " is reported as " + replay,
                () -> reports.stream()
                        .flatMap(List::stream)
                        .anyMatch(letter ->
                                letter.number() == number && letter.replay().equals(replay.name())));
    }

    private List<LetterRecord> newest() {
        return reports.get(reports.size() - 1);
    }

    private void add(Object... values) {
        letters.add("spout", TASK, "default", "id", Arrays.asList(values), 2, "failed", 5, Replay.POSSIBLE);
    }
}
