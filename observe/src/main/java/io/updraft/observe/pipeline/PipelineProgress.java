package io.updraft.observe.pipeline;

import java.util.List;
import java.util.Map;

/**
 * How far a pipeline has come. All counts are since its start.
 *
 * @param records records read
 * @param rows rows decoded from these records
 * @param rejected records that could not be decoded
 * @param late rows that came after all their windows had been written
 * @param duplicates rows that do not count because another row had the same id
 * @param forgottenIds ids of rows that were forgotten early, since there were too many: their duplicates may count
 * @param windows window results written, including early results and updates
 * @param groups groups in these results
 * @param openGroups groups in memory now
 * @param openWindows windows in memory now
 * @param stateBytes bytes of memory that the open windows take now
 * @param again rows of records that were read again and whose windows an earlier run has written
 * @param bytes bytes of the decoded records
 * @param retries writes that failed and were tried again
 * @param overflows groups with a sum that does not fit into 64 bits: each is a dead letter and missing in the result
 * @param alarms records that have waited too long to be written, counted once for each unit and check
 * @param route the outcome of routed records; null if rows are aggregated
 * @param sources the progress of each source, in the order of the description
 */
public record PipelineProgress(
        long records,
        long rows,
        long rejected,
        long late,
        long duplicates,
        long forgottenIds,
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
        List<SourceProgress> sources) {

    /**
     * The outcome of routed records.
     *
     * @param delivered records stored, by cluster; the preferred cluster comes first
     * @param rerouted how often a record was sent again after a failure; such a record may be stored twice
     * @param failed records that no cluster will ever accept
     * @param waiting records that wait for brokers now
     */
    public record Route(Map<String, Long> delivered, long rerouted, long failed, int waiting) {}

    /** Progress. */
    public PipelineProgress {
        sources = List.copyOf(sources);
    }
}
