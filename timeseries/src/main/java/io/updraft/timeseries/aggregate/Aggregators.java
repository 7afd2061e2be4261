package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.aggregate.WindowResult.Emission;
import java.util.List;

/** Makes aggregators, and puts together what several of them have computed. */
public final class Aggregators {

    private Aggregators() {}

    /** An aggregator for a query, which has all that the options allow for itself. */
    public static Aggregator create(Query query, AggregatorOptions options) {
        return new Budget(options).share().aggregator(query);
    }

    /**
     * Puts together results of several aggregators for one window of one query: groups with the same dimensions become one. Sums,
     * counts, least and greatest values are what one aggregator would have made of all rows, estimates within their error. Of last
     * values with the same time, that of the later result counts. The parts are not changed, and may be merged again.
     *
     * @param parts at least one
     * @return the only part if there is just one; EARLY if a part is, else UPDATE if a part is, else FINAL
     * @throws IllegalArgumentException when there is no part, or they are of different windows or queries
     */
    public static WindowResult merge(List<PartialResult> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("no results to put together");
        }
        return parts.size() == 1 ? parts.get(0) : Merge.of(parts, emission(parts));
    }

    private static Emission emission(List<PartialResult> parts) {
        boolean early = parts.stream().anyMatch(part -> part.emission() == Emission.EARLY);
        boolean update = parts.stream().anyMatch(part -> part.emission() == Emission.UPDATE);
        return early ? Emission.EARLY : update ? Emission.UPDATE : Emission.FINAL;
    }
}
