package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Commit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Puts together what several sinks have kept of the source's positions. */
final class Kept {

    private static final Comparator<Commit> BY_PROGRESS =
            Comparator.comparingLong(Commit::position).thenComparingLong(Commit::closedUntil);

    private Kept() {}

    /**
     * What the source is to go on from. A crash between two flushes leaves one sink behind the other: the source begins where the one
     * that is behind has got to, and anew with a unit that it does not know.
     *
     * @param all what was kept before this sink; null if it is the first
     * @param next what the sink has kept
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
