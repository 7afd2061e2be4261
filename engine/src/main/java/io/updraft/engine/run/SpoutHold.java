package io.updraft.engine.run;

/** Why a spout may not emit now, in the order in which {@link SpoutExecutor#hold} checks it. */
enum SpoutHold {
    INACTIVE,
    /** Lanes of the loop, or the output of a detached executor, wait for room. */
    LOOP_IS_FULL,
    /** An instance was restarted after a failure, and the time before the next call has not passed. */
    BACK_OFF,
    /** A rebalance moves the executor. */
    REBALANCING,
    /** A region that the spout sends to is congested. */
    DOWNSTREAM,
    UNOPENED,
    /** As many messages are in flight as {@code topology.max.spout.pending} allows. */
    PENDING_LIMIT,
    /** The outbox has enough for a turn. */
    OUTPUT_LIMIT,
    TURN_OVER,
    /** The spouts may emit. */
    NONE
}
