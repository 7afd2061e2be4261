package io.updraft.engine.run;

/** The nesting depth of calls in a simulation, over all workers. */
final class SimCallStack {

    int depth;
    int pauses;

    /** Whether no call is on anywhere. */
    boolean isAtTop() {
        return depth == 0;
    }
}
