package io.updraft.engine.loop;

/** How deep the calls of a simulation are nested, on whichever worker. */
final class SimStack {

    int depth;
    int pauses;

    /** Whether no call is on anywhere. */
    boolean isAtTop() {
        return depth == 0;
    }
}
