package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Source;
import java.util.List;

/**
 * How far a run has come. Counters lag by at most a chunk of records, gauges by a second.
 *
 * @param sources how far each source has come, in the order of the plan
 * @param rows that were decoded
 * @param bad records of which no row could be made
 * @param late rows for windows that were closed already
 * @param again rows of records that were read again and whose windows an earlier run had written
 * @param bytes of records that were decoded
 * @param openWindows now
 * @param groups in open windows now
 * @param stateBytes that open windows take now
 * @param writtenWindows results that were written
 * @param writtenGroups rows of results that were written
 * @param retries how often writing has failed and was tried again
 * @param alarms records that have waited too long, once for each unit and look
 */
public record RunProgress(
        List<Source.Progress> sources,
        long rows,
        long bad,
        long late,
        long again,
        long bytes,
        long openWindows,
        long groups,
        long stateBytes,
        long writtenWindows,
        long writtenGroups,
        long retries,
        long alarms) {

    static RunProgress of(RunState state) {
        long[] sums = new long[9];
        for (TaskCounters task : state.tasks()) {
            TaskCounters.Counts counts = task.read();
            sums[0] += counts.rows();
            sums[1] += counts.bad();
            sums[2] += counts.late();
            sums[3] += counts.again();
            sums[4] += counts.bytes();
            sums[5] += counts.windows();
            sums[6] += counts.groups();
            sums[7] += counts.stateBytes();
            sums[8] += counts.alarms();
        }
        WriteCounters written = state.written();
        return new RunProgress(
                state.sources().stream().map(SourceCounters::progress).toList(),
                sums[0],
                sums[1],
                sums[2],
                sums[3],
                sums[4],
                sums[5],
                sums[6],
                sums[7],
                written.windows(),
                written.groups(),
                written.retries(),
                sums[8]);
    }
}
