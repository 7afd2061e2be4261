package io.updraft.engine.loop;

/** Where a topology stands. Written by its owner, read everywhere. */
final class Lifecycle {

    private volatile boolean active;
    private volatile boolean everActive;
    private volatile boolean stopping;
    private volatile boolean dead;

    boolean isActive() {
        return active;
    }

    /** Components are opened and prepared when the topology is activated for the first time, as in Storm. */
    boolean wasEverActive() {
        return everActive;
    }

    /** Whether the topology has failed as a whole: no user code runs any more but to be closed. */
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

    /** Whether the topology was active and may be so again. */
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
