package io.updraft.engine.run;

/** The counters of an executor. All counters start at zero when the topology starts and survive restarts of instances. */
enum ExecutorCounter {
    /** Calls of emit and emitDirect. */
    EMITTED,
    /** Tuples sent to other tasks by those calls. */
    TRANSFERRED,
    /** Tuples taken from the queue and passed to execute, ticks included. */
    EXECUTED,
    /** Tick tuples created for this executor. They are executed, but do not count as transferred. */
    TICKS,
    /** Tuples acked by a bolt, tuple trees of a spout completed. */
    ACKED,
    /** Tuples failed by a bolt, tuple trees of a spout failed or timed out. */
    FAILED,
    /** Tuple trees of a spout that failed because they timed out. */
    TIMED_OUT,
    /** Nanoseconds of turns in which work was done. */
    BUSY_NANOS,
    /** Nanoseconds of those in which calls of user code waited and used no core, estimated from samples. */
    WAIT_NANOS,
    /** Usual duration of a call of user code, nanoseconds. */
    CALL_NANOS,
    /** Exceptions thrown by user code. */
    ERRORS,
    /** Restarts of instances. */
    RESTARTS,
    /** Messages dead-lettered after too many failures. */
    DEAD_LETTERED,
    /**
     * 1 while the spouts have been activated, so that a call of nextTuple may be running. Always 0 for the checkpoint spout.
     */
    ASKED,
    /** Tuple trees in flight now, plus emits of other threads that the spout has not sent yet. */
    IN_FLIGHT,
    /** Tuple trees in flight now. */
    TREES,
    /** Tuples passed to the executor and not yet executed. */
    IN_HAND;

    static final ExecutorCounter[] ALL = values();
}
