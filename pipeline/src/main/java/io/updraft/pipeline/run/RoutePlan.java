package io.updraft.pipeline.run;

import io.updraft.kafka.router.Router;
import io.updraft.timeseries.record.Schema;
import java.util.List;

/**
 * What a run needs that routes rows by their key, and does not aggregate.
 *
 * @param router of all tasks; closed by who has started the run
 * @param schema of the rows
 * @param key the fields that rows are routed by
 * @param rows whether the rows are written, as JSON; if not, the records as they were read
 */
public record RoutePlan(Router router, Schema schema, List<String> key, boolean rows) {

    /** A plan. */
    public RoutePlan {
        key = List.copyOf(key);
    }
}
