package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Commit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Merges the positions that several sinks have stored. */
final class Kept {

    private static final Comparator<Commit> BY_PROGRESS =
            Comparator.comparingLong(Commit::position).thenComparingLong(Commit::closedUntil);

    private Kept() {}

    /**
     * Returns the commits from which the source continues. A crash between two flushes may leave one sink behind another. The
     * source begins at the position of the sink that is furthest behind; a unit that one of the sinks lacks starts over.
     *
     * @param all the merged commits of the sinks before this one; null if it is the first
     * @param next the commits of this sink
     */
    static Map<String, Commit> merge(Map<String, Commit> all, Map<String, Commit> next) {
        if (all == null) {
            return Map.copyOf(next);
        }
        Map<String, Commit> least = new HashMap<>();
        all.forEach((unit, commit) -> {
            Commit other = next.get(unit);
            if (other != null) {
                least.put(unit, BY_PROGRESS.compare(commit, other) <= 0 ? commit : other);
            }
        });
        return Map.copyOf(least);
    }
}
