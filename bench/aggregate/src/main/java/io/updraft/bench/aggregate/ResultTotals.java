package io.updraft.bench.aggregate;

import io.updraft.bench.topology.BenchRunState;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The totals over all results: the sum of each measure, and the number of records. A map, because a worker reports maps of
 * {@code int} to the harness: each total is two entries, its halves. One thread only.
 */
final class ResultTotals extends AbstractMap<String, Integer> {

    private static final String HIGH = "high half of total ";
    private static final String LOW = "low half of total ";

    private final long[] totals;

    ResultTotals(int number) {
        totals = new long[number];
    }

    /** Adds a result, whose last values are those of the totals. */
    void add(List<Object> result) {
        int first = result.size() - totals.length;
        for (int i = 0; i < totals.length; i++) {
            totals[i] += (Long) result.get(first + i);
        }
    }

    @Override
    public Set<Map.Entry<String, Integer>> entrySet() {
        Map<String, Integer> halves = new HashMap<>();
        for (int i = 0; i < totals.length; i++) {
            halves.put(HIGH + i, (int) (totals[i] >>> Integer.SIZE));
            halves.put(LOW + i, (int) totals[i]);
        }
        return halves.entrySet();
    }

    /** {@return a total of a run} */
    static long of(BenchRunState run, int number) {
        return run.wordCounts().stream()
                .mapToLong(totals -> ((long) totals.get(HIGH + number) << Integer.SIZE)
                        + Integer.toUnsignedLong(totals.get(LOW + number)))
                .sum();
    }
}
