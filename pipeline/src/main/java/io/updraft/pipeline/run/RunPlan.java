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
 * All that a run is made of; a description in YAML comes down to this.
 *
 * @param name of the pipeline, for logs and threads
 * @param sources each opened by the thread that will use it
 * @param decoders makes a decoder for each aggregate task
 * @param query what to compute
 * @param limits of all aggregators together
 * @param time what time a row has
 * @param keyed whether the rows of one group all come from one unit; then units are aggregated on their own
 * @param track whether it is tracked, and committed, how far units are done
 * @param parallelism how many aggregate tasks
 * @param early how often results of open windows are written before their end; zero for never
 * @param flush how long results and positions may wait to be made durable, unless the run ends before
 * @param alarm how long a record may have been read without being written before an alarm is raised, beyond the time that its
 *     windows take; zero for no alarm
 * @param giveUp after how long the run fails whose sinks do not take what is to be written; null for never
 * @param sinks for this run alone, each opened by the thread that will use it; one that keeps the positions comes last
 * @param aside told of rows and records that are in no result
 * @param route for a run that routes rows and does not aggregate them, which has no query, limits or sinks; else null
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
         * Opens it; called once, by the thread that will use it.
         *
         * @param kept where sinks that keep positions say that units are to be gone on from, by unit; null if there are no such sinks
         */
        Source open(Map<String, Commit> kept) throws SourceException;
    }

    /** A plan. */
    public RunPlan {
        sources = List.copyOf(sources);
        sinks = List.copyOf(sinks);
        if (sources.isEmpty() || parallelism < 1) {
            throw new IllegalArgumentException("a run needs a source and a task");
        }
    }
}
