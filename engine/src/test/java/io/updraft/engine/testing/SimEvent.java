package io.updraft.engine.testing;

/**
 * Rare events that simulations must cause; the tests check that they occur. Exceptions: the last event, and with one worker the
 * events that need several workers.
 */
public enum SimEvent {
    LOOP_STOLEN,
    LOOP_CARRIED_ON,
    TURN_LOST,
    EXECUTOR_DEPARTED,
    EXECUTOR_RETURNED,
    EXECUTOR_MOVED,
    PAUSED,
    HELD_BACK,
    OUTSIDE_CALL,
    THROWN,
    ACKED,
    FAILED,
    TIMED_OUT,
    GIVEN_UP,
    ACKED_LATE,
    WRAPPED,
    /** The tasks of a component are dealt out to other executors. */
    REBALANCED,
    REBALANCE_GIVEN_UP,
    /** Messages of a spout had to fail before its tasks could go. */
    FAILED_OPEN,
    /** A message failed for that, and the spout heard of it. */
    FAILED_BY_REBALANCE,
    JOINED,
    /** A process is gone, and another takes its place. */
    WORKER_DIED,
    WORKER_STOOD_STILL,
    /** A connection is gone, and both processes live. */
    LINK_BROKEN,
    /** A worker is told that another has lost something. */
    LOSS_TOLD,
    /** A message was in flight when something was lost, and its spout heard that it failed. */
    FAILED_BY_LOSS,
    /** The way to another worker was full. */
    LANE_PARKED,
    /** A worker was told that another is congested. */
    HELD_BACK_FROM_AFAR,
    DELIVERY_REFUSED,
    MOVE_REFUSED,
    /** The order of nested calls does not allow to go on: no fault of the engine's, but nothing is learned any more. */
    ABANDONED
}
