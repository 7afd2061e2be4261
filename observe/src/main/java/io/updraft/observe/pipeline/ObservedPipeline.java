package io.updraft.observe.pipeline;

import io.updraft.engine.snapshot.Move;
import java.util.List;

/** What a running pipeline shows of itself. Any thread may use it. */
public interface ObservedPipeline {

    /** Returns how far the pipeline has come. The call is cheap enough to be made several times a second. */
    PipelineProgress progress();

    /** Returns why the pipeline could not go on, in one line that names the cause and the place; null if it has not failed. */
    String failure();

    /**
     * Returns the newest rows and records that are in no result, at most 20 of each kind, the newest first. Of many in a short
     * time only some are kept.
     */
    List<RejectedSample> rejected();

    /** Returns how far the time of the data has come; {@link PipelineWatermark#NONE} if records are routed or rows have no time. */
    PipelineWatermark watermark();

    /** Returns the limits of the open windows and what was spilled; null if records are routed. */
    WindowMemory memory();

    /** Returns a line for the source if it cannot be read now, and for each write that fails or makes no progress: what, how long, why. */
    List<String> troubles();

    /** Returns the partitions of the source that lag, as of about a second ago; none for a source without partitions. */
    PartitionLag.Ranking lags();

    /**
     * Returns the newest moves of units of the source, at most 1,000, the oldest first: which this process got from other
     * processes or gave to them, which task works on them, when their positions were reset, and why.
     */
    List<Move> moves();
}
