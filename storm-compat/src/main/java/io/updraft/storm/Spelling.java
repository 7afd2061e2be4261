package io.updraft.storm;

import java.util.Collection;
import java.util.Locale;

/** Helps somebody who mistyped a name. */
public final class Spelling {
    private Spelling() {}

    /**
     * What to say behind "there is no such name".
     *
     * @param word what was written
     * @param known what there is
     * @return {@code ; did you mean 'x'?} if one of them is near, else what there is; empty if there is nothing
     */
    public static String instead(String word, Collection<String> known) {
        String best = null;
        int least = Math.max(1, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = edits(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        if (best != null) {
            return "; did you mean '" + best + "'?";
        }
        return known.isEmpty() ? "" : "; there is " + String.join(", ", known);
    }

    /** Optimal string alignment: to insert, delete or replace a letter, or to swap two neighbours, costs one each. */
    static int edits(String a, String b) {
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
