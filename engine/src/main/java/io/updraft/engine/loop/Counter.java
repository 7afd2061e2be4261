package io.updraft.engine.loop;

/** What an executor counts. All counts start at zero when the topology starts and survive rebuilds. */
enum Counter {
    /** Calls of emit and emitDirect. */
    EMITTED,
    /** Tuples sent to other tasks by those calls. */
    TRANSFERRED,
    /** Tuples taken from the queue and given to execute, ticks included. */
    EXECUTED,
    /** Tick tuples made for this executor; they are executed but were never transferred. */
    TICKS,
    /** Tuples acked by a bolt, tuple trees of a spout completed. */
    ACKED,
    /** Tuples failed by a bolt, tuple trees of a spout failed or timed out. */
    FAILED,
    /** Tuple trees of a spout that failed because they timed out. */
    TIMED_OUT,
    /** Nanoseconds in turns that did something. */
    BUSY_NANOS,
    /** What a call of user code usually costs, nanoseconds. */
    CALL_NANOS,
    /** Exceptions thrown by user code. */
    ERRORS,
    /** Instances rebuilt. */
    RESTARTS,
    /** Messages given up after too many replays. */
    DEAD_LETTERED,
    /** 1 while the spouts were told that they are active, so that a call of nextTuple may be on; not of the checkpoint spout. */
    ASKED,
    /** Tuple trees in flight now, and emits of other threads that the spout has still to send. */
    IN_FLIGHT,
    /** Tuple trees in flight now. */
    TREES,
    /** Tuples handed to the executor and not yet executed. */
    IN_HAND;

    static final Counter[] ALL = values();
}
