package io.updraft.pipeline;

import java.time.Duration;

/** A pipeline that was started. Any thread may use it. */
public interface RunningPipeline extends AutoCloseable {

    /** How far it has come; cheap enough to ask for several times a second. */
    PipelineProgress progress();

    /**
     * Waits for the end: of the sources, if they have one, and of the writing of the last results; or of a failure.
     *
     * @param limit for how long at most
     * @return whether it has ended
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean awaitEnd(Duration limit) throws InterruptedException;

    /**
     * Asks it to end in order, and returns at once: sources are read no more, results that are complete are written, what was
     * written is committed, nothing half done is emitted. {@link #awaitEnd} tells when that is done. Idempotent.
     */
    void stop();

    /** Why it could not go on, in one line that says what and where; null if nothing is wrong. */
    String failure();

    /** Which of the records that gave no row was one of the first, and why it gave none, in one line; null if each has given one. */
    String firstBad();

    /** Stops it if it still runs, and gives everything back. Idempotent. */
    @Override
    void close();
}
