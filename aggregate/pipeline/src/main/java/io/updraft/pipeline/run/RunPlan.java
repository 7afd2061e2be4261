package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Source;
import io.updraft.pipeline.source.SourceException;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.decode.Decoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The plan of a run, made from a description.
 *
 * @param name the name of the pipeline, for logs and threads
 * @param sources the sources, each opened by the thread that uses it
 * @param decoders makes a decoder for each aggregate task
 * @param query the query to compute
 * @param limits the limits of all aggregators together
 * @param time the time of a row
 * @param keyed whether the rows of a key all come from one unit; then units are aggregated on their own
 * @param track whether the positions of units are tracked and committed
 * @param parallelism the number of aggregate tasks
 * @param early how often results of open windows are written before their end; zero for never
 * @param flush how long results and positions may wait to be made durable, unless the run ends before
 * @param alarm how long a record may wait to be written before an alarm, beyond the time that its windows take; zero for no
 *     alarm
 * @param giveUp how long sinks may refuse writes before the run fails; null for no limit
 * @param sinks the sinks of this run alone, each opened by the thread that uses it; a sink that stores positions comes last
 * @param aside receives rows and records that are in no result
 * @param route the route of a run without aggregation, which has no query, limits or sinks; else null
 */
public record RunPlan(
        String name,
        List<Opening> sources,
        Supplier<Decoder> decoders,
        Query query,
        AggregatorOptions limits,
        TimePolicy time,
        boolean keyed,
        boolean track,
        int parallelism,
        Duration early,
        Duration flush,
        Duration alarm,
        Duration giveUp,
        List<Sink> sinks,
        Aside aside,
        RoutePlan route) {

    /** Opens a source. */
    public interface Opening {
        /**
         * Opens the source. Called once, by the thread that uses it.
         *
         * @param kept the positions from which units continue, as sinks have stored them, by unit; null if no sink stores
         *     positions
         */
        Source open(Map<String, Commit> kept) throws SourceException;
    }

    /** Checks the values and copies the lists. */
    public RunPlan {
        sources = List.copyOf(sources);
        sinks = List.copyOf(sinks);
        if (sources.isEmpty() || parallelism < 1) {
            throw new IllegalArgumentException("a run needs a source and a task");
        }
    }
}
