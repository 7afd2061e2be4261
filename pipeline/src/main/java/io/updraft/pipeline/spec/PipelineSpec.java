package io.updraft.pipeline.spec;

import io.updraft.pipeline.sink.RecordSinkOptions;
import io.updraft.pipeline.sink.RouteOptions;
import io.updraft.pipeline.sink.SinkOptions;
import io.updraft.pipeline.source.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A pipeline: from where, what, to where. One that {@code SpecReader} has read is free of contradictions.
 *
 * @param name of the pipeline; its state is kept under it
 * @param source where records come from
 * @param decode how rows are made of records
 * @param time which time a row has
 * @param aggregate what is computed; null if rows are routed
 * @param route where records go by their key; null if rows are aggregated
 * @param sinks where results go: at least one if rows are aggregated, none if they are routed
 * @param late where rows go that come after their windows were written; null if they are only counted
 * @param deadLetters where records go that cannot be decoded; null if they are only counted
 * @param parallelism how many tasks aggregate
 * @param keyed whether all records of a group are in one unit, so that each unit's results are final
 * @param track whether it is tracked, and committed, how far the source has been written; without, each run begins anew
 * @param alarm after how long, on top of what its window takes, a record is named that is in no result; zero for never
 * @param giveUp after how long the run fails whose source or sink is away; null for never
 * @param state the file where the source keeps how far it is done; null if it keeps that elsewhere, or nowhere
 */
public record PipelineSpec(
        String name,
        SourceSpec source,
        DecodeSpec decode,
        TimeSpec time,
        AggregateSpec aggregate,
        RouteOptions route,
        List<SinkOptions> sinks,
        RecordSinkOptions late,
        RecordSinkOptions deadLetters,
        int parallelism,
        boolean keyed,
        boolean track,
        Duration alarm,
        Duration giveUp,
        Path state) {

    /** A pipeline. */
    public PipelineSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(decode, "decode");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(alarm, "alarm");
        if ((aggregate == null) == (route == null)) {
            throw new IllegalArgumentException("a pipeline either aggregates or routes");
        }
        sinks = List.copyOf(sinks);
    }
}
