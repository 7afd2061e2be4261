package io.updraft.engine.api;

/**
 * Identifies the worker of a topology that an engine runs.
 *
 * @param worker the number of the worker in the plan, from 0
 * @param incarnation the number of this process among the processes that have run this worker; greater than any earlier one,
 *     from 1 to {@link #LAST_INCARNATION}; 0 for the embedded engine
 * @param wakeGateway called by the engine's threads, at any time, when the gateway may have a batch to poll or a
 *     changed load to send; must neither block nor throw
 */
public record WorkerOptions(int worker, int incarnation, Runnable wakeGateway) {

    /** The greatest incarnation. With a greater one, the ids of tuple trees would not fit in 63 bits. */
    public static final int LAST_INCARNATION = (1 << 20) - 1;

    /** The options of the embedded engine, which is the only worker. */
    public static final WorkerOptions ALONE = new WorkerOptions(0, 0, () -> {});

    /**
     * Checks the numbers.
     *
     * @param worker the number of the worker in the plan
     * @param incarnation greater than any earlier incarnation
     * @param wakeGateway called by the engine's threads
     * @throws IllegalArgumentException when the worker number or the incarnation is out of range
     */
    public WorkerOptions {
        if (worker < 0) {
            throw new IllegalArgumentException("worker " + worker + " does not exist: workers are numbered from 0");
        }
        if (incarnation < 0 || incarnation > LAST_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + incarnation + " of worker " + worker
                    + ": it must be from 0 to " + LAST_INCARNATION);
        }
    }
}
