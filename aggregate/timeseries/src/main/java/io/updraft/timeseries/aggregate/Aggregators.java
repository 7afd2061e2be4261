package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowResult.Emission;
import java.util.List;

/** Creates aggregators, and merges their results. */
public final class Aggregators {

    private Aggregators() {}

    /** Creates an aggregator for a query. It has a budget of its own. */
    public static Aggregator create(Query query, AggregatorOptions options) {
        return new GroupBudget(options).share().aggregator(query);
    }

    /**
     * Merges results of several aggregators for one window of one query. Groups with the same dimensions become one. Sums,
     * counts, minima and maxima equal those of one aggregator that had all rows; estimates differ within their error. Of last
     * values with the same time, the one of the later result counts. The parts are not changed, and may be merged again.
     *
     * @param parts at least one
     * @return the only part if there is just one; EARLY if a part is, else UPDATE if a part is, else FINAL
     * @throws IllegalArgumentException when there is no part, or the parts are of different windows or queries
     */
    public static WindowResult merge(List<PartialResult> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("there are no results to merge");
        }
        return parts.size() == 1 ? parts.get(0) : ResultMerge.of(parts, emission(parts));
    }

    private static Emission emission(List<PartialResult> parts) {
        boolean early = parts.stream().anyMatch(part -> part.emission() == Emission.EARLY);
        boolean update = parts.stream().anyMatch(part -> part.emission() == Emission.UPDATE);
        return early ? Emission.EARLY : update ? Emission.UPDATE : Emission.FINAL;
    }
}
