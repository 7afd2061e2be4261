package io.updraft.pipeline.run;

import io.updraft.kafka.router.Router;
import io.updraft.timeseries.record.Schema;
import java.util.List;

/**
 * The plan of a run that routes rows by their key and does not aggregate.
 *
 * @param router the router of all tasks; closed by the code that started the run
 * @param key the fields by which rows are routed
 * @param rows whether rows are written, as JSON; if not, the records as they were read
 */
record RoutingPlan(RunSettings settings, Router router, Schema schema, List<String> key, boolean rows)
        implements RunPlan {}
