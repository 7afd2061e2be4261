package io.updraft.pipeline.spec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects the mistakes in a description. */
final class SpecMistakes {

    private static final int MAX_MISTAKES = 100;

    private final String file;
    private final List<SpecException.Mistake> found = new ArrayList<>();

    SpecMistakes(String file) {
        this.file = file;
    }

    void add(Node where, String message) {
        int line = where.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
        int column = where.getStartMark().map(mark -> mark.getColumn() + 1).orElse(1);
        add(line, column, message);
    }

    void add(int line, int column, String message) {
        SpecException.Mistake mistake = new SpecException.Mistake(file, line, column, message);
        if (found.size() < MAX_MISTAKES && !found.contains(mistake)) {
            found.add(mistake);
        }
    }

    boolean any() {
        return !found.isEmpty();
    }

    SpecException exception() {
        found.sort(
                Comparator.comparingInt(SpecException.Mistake::line).thenComparingInt(SpecException.Mistake::column));
        return new SpecException(found);
    }
}
