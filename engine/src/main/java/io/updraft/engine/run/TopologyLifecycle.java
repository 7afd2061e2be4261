package io.updraft.engine.run;

/** The state of a topology in its life cycle. Written by its owner, read by any thread. */
final class TopologyLifecycle {

    private volatile boolean active;
    private volatile boolean everActive;
    private volatile boolean stopping;
    private volatile boolean dead;

    public boolean isActive() {
        return active;
    }

    /**
     * Returns whether the topology was ever active. Components are opened and prepared at the first activation, as in Storm.
     */
    public boolean wasEverActive() {
        return everActive;
    }

    /** Returns whether the topology has ended with a failure: no user code runs any more, except to be closed. */
    public boolean isDead() {
        return dead;
    }

    public void die() {
        active = false;
        dead = true;
    }

    public boolean isStopping() {
        return stopping;
    }

    /** Returns whether the topology was active and may become active again. */
    public boolean isPaused() {
        return everActive && !active && !stopping && !dead;
    }

    public void activate() {
        active = true;
        everActive = true;
    }

    public void deactivate() {
        active = false;
    }

    public void stop() {
        active = false;
        stopping = true;
    }
}
