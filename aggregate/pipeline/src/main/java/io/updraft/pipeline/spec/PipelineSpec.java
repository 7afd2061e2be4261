package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The description of a pipeline. A description from {@code SpecReader} has no contradictions.
 *
 * @param name the name of the pipeline; its state is stored under this name
 * @param source the source of the records
 * @param decode how records become rows
 * @param time the time of a row
 * @param aggregate the values to compute; null if rows are routed
 * @param route the routing of records by key; null if rows are aggregated
 * @param sinks the sinks of the results: at least one if rows are aggregated, none if rows are routed
 * @param late the destination of rows that arrive after their windows were written; null to count them only
 * @param deadLetters the destination of records that cannot be decoded; null to count them only
 * @param parallelism the number of tasks that aggregate
 * @param keyed whether all records of a group are in the same share, so that the results of each share are final
 * @param track whether the position up to which the source is written is tracked and committed; if not, each run starts over
 * @param unusable what happens to positions behind records of which none could be used
 * @param alarm how long a record may be missing in the results, beyond the time of its window, before it is reported; zero for
 *     never
 * @param giveUp how long the source or a sink may be unavailable before the run fails; null for no limit
 * @param state the file with the committed positions of the source; null if the positions are stored elsewhere or nowhere
 */
public record PipelineSpec(
        String name,
        SourceSpec source,
        DecodeSpec decode,
        TimeSpec time,
        AggregateSpec aggregate,
        RouteOptions route,
        List<SinkOptions> sinks,
        RejectedRecordSinkOptions late,
        RejectedRecordSinkOptions deadLetters,
        int parallelism,
        boolean keyed,
        boolean track,
        Unusable unusable,
        Duration alarm,
        Duration giveUp,
        Path state) {

    /** What happens to records if none of them can be used. */
    public enum Unusable {
        /** They are not committed: the next run reads them again. */
        KEEP,
        /** Positions are committed behind them. */
        SKIP
    }

    /** Checks that the pipeline either aggregates or routes, and copies the list. */
    public PipelineSpec {
        if ((aggregate == null) == (route == null)) {
            throw new IllegalArgumentException("a pipeline needs either 'aggregate' or 'route'");
        }
        sinks = List.copyOf(sinks);
    }
}
