package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.ObservedPipeline;
import java.time.Duration;

/** A pipeline that was started. Any thread may use it. */
public interface RunningPipeline extends ObservedPipeline, AutoCloseable {

    /**
     * Waits until the pipeline has ended. It ends when its sources have an end and the last results are written, or when it
     * fails.
     *
     * @param limit the longest time to wait
     * @return whether the pipeline has ended
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean awaitEnd(Duration limit) throws InterruptedException;

    /**
     * Requests an orderly end and returns at once. The pipeline stops reading sources, writes complete results and commits what
     * was written. Windows that are not complete are not emitted. {@link #awaitEnd} reports when the pipeline has ended.
     * Idempotent.
     */
    void stop();

    /** Returns one of the first records that gave no row and the reason, in one line; null if every record gave a row. */
    String firstRejected();

    /** Stops the pipeline if it still runs, and releases its resources. Idempotent. */
    @Override
    void close();
}
