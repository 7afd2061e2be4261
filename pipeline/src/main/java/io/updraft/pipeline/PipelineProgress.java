package io.updraft.pipeline;

import io.updraft.pipeline.source.Source;
import java.util.List;

/**
 * How far a pipeline has come. All counts are since its start.
 *
 * @param records that were read
 * @param rows that they became
 * @param bad records that could not be decoded
 * @param late rows whose windows had all been written
 * @param windows results that were written, early ones and updates too
 * @param groups rows in them
 * @param openGroups groups in memory now
 * @param openWindows windows in memory now
 * @param stateBytes that open windows take now
 * @param again rows of records that were read again, whose windows an earlier run has written
 * @param bytes of records that were decoded
 * @param retries how often writing has failed and was tried again
 * @param alarms records that have waited too long to be written, once for each unit and look
 * @param sources one for each source, in the order of the description
 */
public record PipelineProgress(
        long records,
        long rows,
        long bad,
        long late,
        long windows,
        long groups,
        long openGroups,
        long openWindows,
        long stateBytes,
        long again,
        long bytes,
        long retries,
        long alarms,
        List<Source.Progress> sources) {

    /** Progress. */
    public PipelineProgress {
        sources = List.copyOf(sources);
    }
}
