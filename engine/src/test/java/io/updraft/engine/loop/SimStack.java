package io.updraft.engine.loop;

/** The nesting depth of calls in a simulation, over all workers. */
final class SimStack {

    int depth;
    int pauses;

    /** Whether no call is on anywhere. */
    boolean isAtTop() {
        return depth == 0;
    }
}
