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
        List<Source.Progress> sources) {

    /** Progress. */
    public PipelineProgress {
        sources = List.copyOf(sources);
    }
}
