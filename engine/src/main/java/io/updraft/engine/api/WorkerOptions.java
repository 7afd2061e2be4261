package io.updraft.engine.api;

/**
 * Which worker of a topology an engine is.
 *
 * @param worker its number in the plan, from 0
 * @param incarnation tells this process from those that were the same worker before it: greater than any of theirs, from 1 to
 *     {@link #LAST_INCARNATION}; 0 for the embedded engine, which has no others
 * @param wakeGateway called by the engine's threads, at any time, when there may be something for {@link RemoteWorkers} to
 *     poll or to tell the others; must neither block nor throw
 */
public record WorkerOptions(int worker, int incarnation, Runnable wakeGateway) {

    /** The last incarnation that there can be: beyond it the names of tuple trees would not fit in 63 bits. */
    public static final int LAST_INCARNATION = (1 << 20) - 1;

    /** The embedded engine: a worker on its own. */
    public static final WorkerOptions ALONE = new WorkerOptions(0, 0, () -> {});

    /**
     * Checks the numbers.
     *
     * @param worker its number in the plan
     * @param incarnation greater than any before
     * @param wakeGateway called by the engine's threads
     * @throws IllegalArgumentException when there can be no such worker or incarnation
     */
    public WorkerOptions {
        if (worker < 0) {
            throw new IllegalArgumentException("worker " + worker + ": workers are numbered from 0");
        }
        if (incarnation < 0 || incarnation > LAST_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + incarnation + " of worker " + worker
                    + ": it must be from 0 to " + LAST_INCARNATION);
        }
    }
}
