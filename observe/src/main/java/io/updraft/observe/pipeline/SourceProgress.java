package io.updraft.observe.pipeline;

/**
 * The progress of a source.
 *
 * @param done bytes or records that were read
 * @param total bytes or records in all; -1 if unknown, as for a source without an end
 * @param lag records or bytes behind the newest; -1 if unknown
 * @param unit {@code "bytes"} or {@code "records"}
 * @param trouble why nothing can be read now and for how long, in one line; null if all is well
 */
public record SourceProgress(long done, long total, long lag, String unit, String trouble) {
    /** Creates the progress of a source without trouble. */
    public SourceProgress(long done, long total, long lag, String unit) {
        this(done, total, lag, unit, null);
    }
}
