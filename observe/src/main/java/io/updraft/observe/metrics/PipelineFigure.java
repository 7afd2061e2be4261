package io.updraft.observe.metrics;

import io.updraft.observe.metrics.MetricsText.Kind;
import io.updraft.observe.pipeline.PipelineProgress;
import java.util.function.ToLongFunction;

/** The figures of a pipeline that its progress contains, in the order of the text. */
enum PipelineFigure {
    RECORDS(Kind.COUNTER, "records", "Records read.", PipelineProgress::records),
    ROWS(Kind.COUNTER, "rows", "Rows decoded from records.", PipelineProgress::rows),
    BAD(Kind.COUNTER, "bad_records", "Records that could not be decoded.", PipelineProgress::rejected),
    LATE(Kind.COUNTER, "late_rows", "Rows that came after their windows had been written.", PipelineProgress::late),
    DUPLICATES(
            Kind.COUNTER,
            "duplicate_rows",
            "Rows that do not count because another row had the same id.",
            PipelineProgress::duplicates),
    FORGOTTEN_IDS(
            Kind.COUNTER,
            "forgotten_ids",
            "Ids of rows that were forgotten early because there were too many.",
            PipelineProgress::forgottenIds),
    AGAIN(
            Kind.COUNTER,
            "repeated_rows",
            "Rows read again whose windows an earlier run has written.",
            PipelineProgress::again),
    BYTES(Kind.COUNTER, "decoded_bytes", "Bytes of the decoded records.", PipelineProgress::bytes),
    WINDOWS(Kind.COUNTER, "windows", "Window results written.", PipelineProgress::windows),
    GROUPS(Kind.COUNTER, "groups", "Groups in the written results.", PipelineProgress::groups),
    RETRIES(Kind.COUNTER, "write_retries", "Writes that failed and were tried again.", PipelineProgress::retries),
    OVERFLOWS(
            Kind.COUNTER,
            "overflowed_groups",
            "Groups that are missing because a sum exceeds 64 bits.",
            PipelineProgress::overflows),
    ALARMS(Kind.COUNTER, "alarms", "Alarms on records that wait too long to be written.", PipelineProgress::alarms),
    OPEN_WINDOWS(Kind.GAUGE, "open_windows", "Windows in memory.", PipelineProgress::openWindows),
    OPEN_GROUPS(Kind.GAUGE, "open_groups", "Groups in memory.", PipelineProgress::openGroups),
    STATE(Kind.GAUGE, "state_bytes", "Memory of the open windows.", PipelineProgress::stateBytes);

    private final Kind kind;
    private final String figure;
    private final String help;
    private final ToLongFunction<PipelineProgress> value;

    PipelineFigure(Kind kind, String figure, String help, ToLongFunction<PipelineProgress> value) {
        this.kind = kind;
        this.figure = figure;
        this.help = help;
        this.value = value;
    }

    void begin(MetricsText text) {
        text.family(kind, "updraft_pipeline_" + figure, help);
    }

    long of(PipelineProgress progress) {
        return value.applyAsLong(progress);
    }
}
