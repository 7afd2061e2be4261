package io.updraft.flux;

import io.updraft.storm.ProgramInputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Collects the mistakes in a description and the warnings about it. */
final class DescriptionErrors {
    private final List<Mistake> found = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    void add(SourcePosition where, String message) {
        Mistake mistake = new Mistake(where, message);
        if (!found.contains(mistake)) {
            found.add(mistake);
        }
    }

    void warn(SourcePosition where, String message) {
        warnings.add(where + ": " + message);
    }

    List<String> warnings() {
        return warnings;
    }

    /** @throws ProgramInputException when there are mistakes; the message has a line for each */
    void check() {
        if (!found.isEmpty()) {
            throw new ProgramInputException(found.stream()
                    .sorted(Comparator.comparing(
                                    (Mistake mistake) -> mistake.where().file())
                            .thenComparing(mistake -> mistake.where().line()))
                    .map(mistake -> mistake.where() + ": " + mistake.message())
                    .collect(Collectors.joining("\n")));
        }
    }

    private record Mistake(SourcePosition where, String message) {}
}
