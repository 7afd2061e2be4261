package io.updraft.engine.loop;

/** The state of a topology in its life cycle. Written by its owner, read by any thread. */
final class Lifecycle {

    private volatile boolean active;
    private volatile boolean everActive;
    private volatile boolean stopping;
    private volatile boolean dead;

    boolean isActive() {
        return active;
    }

    /**
     * Returns whether the topology was ever active. Components are opened and prepared at the first activation, as in Storm.
     */
    boolean wasEverActive() {
        return everActive;
    }

    /** Returns whether the topology has ended with a failure: no user code runs any more, except to be closed. */
    boolean isDead() {
        return dead;
    }

    void die() {
        active = false;
        dead = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Returns whether the topology was active and may become active again. */
    boolean isPaused() {
        return everActive && !active && !stopping && !dead;
    }

    void activate() {
        active = true;
        everActive = true;
    }

    void deactivate() {
        active = false;
    }

    void stop() {
        active = false;
        stopping = true;
    }
}
