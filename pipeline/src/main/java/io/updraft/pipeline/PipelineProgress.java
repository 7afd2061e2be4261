package io.updraft.pipeline;

import io.updraft.pipeline.source.Source;
import java.util.List;
import java.util.Map;

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
 * @param overflows groups with a sum that does not fit into 64 bits: each is a dead letter and not in the result
 * @param alarms records that have waited too long to be written, once for each unit and look
 * @param route what has become of what was routed; null if rows are aggregated
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
        long overflows,
        long alarms,
        Route route,
        List<Source.Progress> sources) {

    /**
     * What has become of records that were routed.
     *
     * @param delivered records stored, by cluster, in the order in which these are preferred
     * @param rerouted how often a record was sent again after a failure; each may be there twice
     * @param failed records that no cluster will ever take
     * @param waiting records that wait for brokers now
     */
    public record Route(Map<String, Long> delivered, long rerouted, long failed, int waiting) {}

    /** Progress. */
    public PipelineProgress {
        sources = List.copyOf(sources);
    }
}
