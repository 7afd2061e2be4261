package io.updraft.pipeline.run;

import io.updraft.kafka.router.RouterCounts;
import io.updraft.pipeline.PipelineProgress;

/** Sums the counters of the tasks of a run. Counters lag by at most a chunk of records, gauges by a second. */
final class RunProgress {

    private RunProgress() {}

    private static PipelineProgress.Route route(RouterCounts counts) {
        return new PipelineProgress.Route(counts.delivered(), counts.rerouted(), counts.failed(), counts.waiting());
    }

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
                written.overflows(),
                sum.alarms(),
                state.plan().route() == null
                        ? null
                        : route(state.plan().route().router().counts()),
                state.sources().stream().map(SourceCounters::progress).toList());
    }
}
