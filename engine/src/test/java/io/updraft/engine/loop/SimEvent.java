package io.updraft.engine.loop;

/** What a simulation is to provoke; the tests check that it does. */
enum SimEvent {
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
    JOINED
}
