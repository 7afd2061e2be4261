package io.updraft.storm.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the mistakes in a description and the warnings about it. */
public final class Mistakes {

    private static final int MAX_MISTAKES = 100;

    private final List<Mistake> found = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    public void add(YamlNode node, String message) {
        add(node.where(), message);
    }

    public void add(Position where, String message) {
        Mistake mistake = new Mistake(where, message);
        if (found.size() < MAX_MISTAKES && !found.contains(mistake)) {
            found.add(mistake);
        }
    }

    public void warn(Position where, String message) {
        warnings.add(where + ": " + message);
    }

    public List<String> warnings() {
        return warnings;
    }

    public boolean any() {
        return !found.isEmpty();
    }

    /** Returns the mistakes in the order of the description. */
    public List<Mistake> sorted() {
        return found.stream()
                .sorted(Comparator.comparing((Mistake mistake) -> mistake.where.file())
                        .thenComparing(mistake -> mistake.where.line())
                        .thenComparing(mistake -> mistake.where.column()))
                .toList();
    }

    /**
     * A mistake in a description.
     *
     * @param where its place
     * @param message the mistake and its remedy, in one line
     */
    public record Mistake(Position where, String message) {

        /** Returns the mistake as compilers write it: file, line, column, message. */
        @Override
        public String toString() {
            return where + ":" + where.column() + ": " + message;
        }
    }
}
