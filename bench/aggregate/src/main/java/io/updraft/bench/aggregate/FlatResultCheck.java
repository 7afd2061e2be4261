package io.updraft.bench.aggregate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares the results of a system, in CSV with a line of names, with the exact totals. Used once. */
final class FlatResultCheck {

    private static final int PROBLEMS = 5;
    /** Systems that add doubles one by one lose some digits. */
    private static final double TOLERANCE = 1e-9;

    private static final Set<String> ROUNDED = Set.of("sum", "avg");

    private final FlatShape shape;
    private final Map<String, FlatTotals> expected;
    private final boolean exact;
    private final Set<String> seen = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private long wrong;

    /**
     * Creates a check.
     *
     * @param exact whether sums and means must be the nearest doubles; else they may differ by 1e-9 of their value
     */
    FlatResultCheck(FlatShape shape, Map<String, FlatTotals> expected, boolean exact) {
        this.shape = shape;
        this.expected = expected;
        this.exact = exact;
    }

    /** {@return a sentence for each problem; empty if every group is there once and is right} */
    List<String> problems(Path results) throws IOException {
        if (!Files.exists(results)) {
            return List.of("no results were written");
        }
        try (Stream<String> lines = Files.lines(results)) {
            List<String> names = new ArrayList<>();
            lines.forEach(line -> {
                if (names.isEmpty()) {
                    names.addAll(List.of(line.split(",", -1)));
                } else {
                    compare(names, line.split(",", -1));
                }
            });
        }
        if (wrong > 0) {
            problems.add(wrong + " results are wrong");
        }
        if (seen.size() < expected.size()) {
            problems.add(expected.size() - seen.size() + " of " + expected.size() + " results are missing");
        }
        return problems;
    }

    private void compare(List<String> names, String[] row) {
        if (row.length != names.size()) {
            wrong("a result has " + row.length + " values for " + names.size() + " columns: " + Arrays.toString(row));
            return;
        }
        String key =
                shape.dimensions().stream().map(name -> cell(names, row, name)).collect(Collectors.joining(","));
        FlatTotals totals = expected.get(key);
        if (totals == null) {
            wrong("unexpected group " + key);
        } else if (!seen.add(key)) {
            wrong("group " + key + " is there more than once");
        } else {
            compare(names, row, key, totals);
        }
    }

    private void compare(List<String> names, String[] row, String key, FlatTotals totals) {
        if (!cell(names, row, "count").equals(String.valueOf(totals.records()))) {
            wrong("count of " + key + " is " + cell(names, row, "count") + ", not " + totals.records());
        }
        for (FlatShape.Result result : shape.results()) {
            String cell = cell(names, row, result.name());
            double right = totals.of(result);
            if (!isRight(result, cell, right)) {
                wrong(result.name() + " of " + key + " is " + cell + ", not " + right);
            }
        }
    }

    private boolean isRight(FlatShape.Result result, String cell, double right) {
        try {
            double value = Double.parseDouble(cell);
            return exact || !ROUNDED.contains(result.function())
                    ? value == right
                    : Math.abs(value - right) <= TOLERANCE * Math.max(1, Math.abs(right));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String cell(List<String> names, String[] row, String name) {
        int column = names.indexOf(name);
        return column < 0 ? "" : row[column];
    }

    private void wrong(String problem) {
        if (wrong++ < PROBLEMS) {
            problems.add(problem);
        }
    }
}
