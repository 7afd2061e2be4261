package io.updraft.pipeline.run;

import io.updraft.pipeline.PipelineProgress;

/** Adds up what the tasks of a run have counted. Counters lag by at most a chunk of records, gauges by a second. */
final class RunProgress {

    private RunProgress() {}

    static PipelineProgress of(RunState state) {
        TaskCounters.Counts sum = state.tasks().stream()
                .map(TaskCounters::read)
                .reduce(TaskCounters.Counts.NONE, TaskCounters.Counts::plus);
        WriteCounters written = state.written();
        return new PipelineProgress(
                sum.records(),
                sum.rows(),
                sum.bad(),
                sum.late(),
                written.windows(),
                written.groups(),
                sum.groups(),
                sum.windows(),
                sum.stateBytes(),
                sum.again(),
                sum.bytes(),
                written.retries(),
                sum.alarms(),
                state.sources().stream().map(SourceCounters::progress).toList());
    }
}
