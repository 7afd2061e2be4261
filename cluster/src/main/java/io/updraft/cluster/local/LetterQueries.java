package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.AskDeadLetters;
import io.updraft.cluster.local.ControlMessage.DeadLetterReport;
import io.updraft.engine.snapshot.DeadLetter;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lists and replays the dead letters of the workers of a deployment. May be used from any thread. */
record LetterQueries(Deployment deployment) {
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(3);

    /**
     * {@return the letters, oldest first}. Of a worker that has ended or does not answer these are the letters that it has reported
     * before.
     */
    List<DeadLetter> all() {
        ask(false, List.of());
        return reported();
    }

    private List<DeadLetter> reported() {
        return deployment.letters().stream()
                .map(LetterRecord::toLetter)
                .sorted(Comparator.comparingLong(DeadLetter::timeMillis).thenComparingLong(DeadLetter::number))
                .toList();
    }

    /**
     * Orders the replay of letters. {@return the letters that are replayed by this order}
     *
     * @throws IllegalArgumentException when a letter cannot be replayed
     */
    List<Long> replay(Collection<Long> numbers) {
        Set<Long> reachable = ask(false, List.of()).stream()
                .flatMap(report -> report.letters().stream())
                .map(LetterRecord::number)
                .collect(Collectors.toSet());
        Map<Long, DeadLetter> letters =
                reported().stream().collect(Collectors.toMap(DeadLetter::number, Function.identity()));
        numbers.forEach(number -> check(number, letters.get(number), reachable));
        return replayed(false, List.copyOf(numbers));
    }

    private static void check(long number, DeadLetter letter, Set<Long> reachable) {
        if (letter == null) {
            throw new IllegalArgumentException("there is no dead letter " + number);
        }
        letter.checkReplay();
        if (!reachable.contains(number) && letter.replay() != DeadLetter.Replay.COMPLETED) {
            throw new IllegalArgumentException("the worker of dead letter " + number + " does not answer");
        }
    }

    /** Orders the replay of all letters that can be replayed, and returns them. */
    List<Long> replayAll() {
        return replayed(true, List.of());
    }

    private List<Long> replayed(boolean all, List<Long> numbers) {
        List<DeadLetterReport> reports = ask(all, numbers);
        reports.stream()
                .map(DeadLetterReport::refusal)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(refusal -> {
                    throw new IllegalArgumentException(refusal);
                });
        return reports.stream().flatMap(report -> report.replayed().stream()).toList();
    }

    /** {@return the reports of the workers that have answered} */
    private List<DeadLetterReport> ask(boolean all, List<Long> replay) {
        try {
            return deployment.letters(
                    deployment.ask(question -> new AskDeadLetters(question, all, replay), ANSWER_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
