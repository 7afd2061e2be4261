package io.updraft.engine.run;

/** The model's view of one instance of a component. */
final class SimInstance {

    final String component;
    final int task;

    /** Whether it has thrown and is to be replaced: it hears of nothing but its end any more. */
    boolean dead;

    /** Whether open or prepare has returned. */
    boolean opened;

    boolean closed;

    /** Whether its process is gone. */
    boolean killed;

    /** What may be put before it; null until its context is made. */
    SimWrapping wrapping;

    /** Calls of it that are on. */
    int calls;

    /** Of a spout: whether it was told that the topology is active. */
    boolean active;

    /** Of a spout: whether it threw when it was told so, and may go on all the same. */
    boolean inert;

    SimInstance(String component, int task) {
        this.component = component;
        this.task = task;
    }

    @Override
    public String toString() {
        return component + "#" + task + (dead ? " (dead)" : "") + (closed ? " (closed)" : "");
    }
}
