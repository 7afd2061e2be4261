package io.updraft.pipeline.spec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with a description. */
final class Mistakes {

    private static final int MOST = 100;

    private final String file;
    private final List<Mistake> found = new ArrayList<>();

    Mistakes(String file) {
        this.file = file;
    }

    void add(Node where, String message) {
        int line = where.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
        int column = where.getStartMark().map(mark -> mark.getColumn() + 1).orElse(1);
        add(line, column, message);
    }

    void add(int line, int column, String message) {
        Mistake mistake = new Mistake(file, line, column, message);
        if (found.size() < MOST && !found.contains(mistake)) {
            found.add(mistake);
        }
    }

    boolean any() {
        return !found.isEmpty();
    }

    SpecException exception() {
        found.sort(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column));
        return new SpecException(found);
    }

    /** {@code ; did you mean 'x'?} if one of them is near, else what there is. */
    static String instead(String word, Collection<String> known) {
        String near = nearest(word, known);
        if (near != null) {
            return "; did you mean '" + near + "'?";
        }
        return known.isEmpty() ? "" : "; there is " + String.join(", ", known);
    }

    private static String nearest(String word, Collection<String> known) {
        String best = null;
        int least = Math.max(1, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best;
    }

    // Optimal string alignment: insert, delete, replace, and swap of neighbours cost one each.
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(a, b, i, j, cost);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(String a, String b, int i, int j, int[][] cost) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
