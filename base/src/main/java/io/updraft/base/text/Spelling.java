package io.updraft.base.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Suggests names in place of mistyped ones. */
public final class Spelling {
    private Spelling() {}

    /**
     * Returns a hint to append to a message such as "there is no such name": {@code ; did you mean 'x'?} if a known name is
     * similar, else a list of the known names.
     *
     * @param word the mistyped name
     * @param names the known names
     * @return the hint; empty if there is no known name
     */
    public static String instead(String word, Collection<String> names) {
        return near(word, names)
                .map(best -> "; did you mean '" + best + "'?")
                .orElse(names.isEmpty() ? "" : "; there is " + String.join(", ", names));
    }

    /**
     * Finds a known name.
     *
     * @param word the mistyped name
     * @param names the known names
     * @return the known name that is most similar to the word; empty if none is similar
     */
    public static Optional<String> near(String word, Collection<String> names) {
        String best = null;
        int least = Math.max(1, word.length() / 3) + 1;
        for (String candidate : names) {
            int distance = edits(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * Returns the edit distance by optimal string alignment: insertion, deletion, replacement and a swap of neighbours cost one
     * each.
     *
     * @param a a word
     * @param b another word
     * @return the number of edits
     */
    public static int edits(String a, String b) {
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
