package io.updraft.bench.compat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Programs to compare, as their entries in a list would have them. */
final class Programs {
    private Programs() {}

    static Program plain() {
        return of(List.of(), List.of(), "", false, "");
    }

    static Program printingTheSame(String pattern) {
        return of(List.of(Pattern.compile(pattern)), List.of(), "", false, "");
    }

    static Program bothPrinting(String pattern) {
        return of(List.of(), List.of(Pattern.compile(pattern)), "", false, "");
    }

    static Program overloaded() {
        return of(List.of(), List.of(), "", true, "");
    }

    static Program noted(String note) {
        return of(List.of(), List.of(), "", false, note);
    }

    static Program without(String without) {
        return of(List.of(), List.of(), without, false, "not shown");
    }

    private static Program of(List<Pattern> same, List<Pattern> both, String without, boolean overload, String note) {
        return new Program(
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
