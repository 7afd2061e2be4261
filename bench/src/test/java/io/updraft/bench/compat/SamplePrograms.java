package io.updraft.bench.compat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Programs to compare, as their entries in a list would have them. */
final class SamplePrograms {
    private SamplePrograms() {}

    static ComparedProgram plain() {
        return of(List.of(), List.of(), "", false, "");
    }

    static ComparedProgram printingTheSame(String pattern) {
        return of(List.of(Pattern.compile(pattern)), List.of(), "", false, "");
    }

    static ComparedProgram bothPrinting(String pattern) {
        return of(List.of(), List.of(Pattern.compile(pattern)), "", false, "");
    }

    static ComparedProgram overloaded() {
        return of(List.of(), List.of(), "", true, "");
    }

    static ComparedProgram noted(String note) {
        return of(List.of(), List.of(), "", false, note);
    }

    static ComparedProgram without(String without) {
        return of(List.of(), List.of(), without, false, "not shown");
    }

    private static ComparedProgram of(
            List<Pattern> same, List<Pattern> both, String without, boolean overload, String note) {
        return new ComparedProgram(
                "Words",
                "org.example.Words",
                List.of(),
                Map.of(),
                same,
                both,
                without,
                0,
                false,
                List.of(),
                overload,
                note);
    }
}
