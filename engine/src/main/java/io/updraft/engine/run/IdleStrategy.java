package io.updraft.engine.run;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.plan.EngineSettings.Idle;

/** Lets a loop wait after rounds without work, as its {@link IdlePolicy} decides. */
final class IdleStrategy {

    private final EventLoop loop;
    private final EngineClock clock;
    private final IdlePolicy policy;

    IdleStrategy(EventLoop loop, EngineClock clock, Idle idle) {
        this.loop = loop;
        this.clock = clock;
        this.policy = new IdlePolicy(idle, clock.nanoTime());
    }

    void busy() {
        policy.busy();
    }

    void idle() {
        long now = clock.nanoTime();
        switch (policy.next(now)) {
            case SPIN -> Thread.onSpinWait();
            case YIELD -> Thread.yield();
            case SLEEP -> sleep(now);
        }
    }

    private void sleep(long now) {
        loop.bell().sleepUnless(loop::hasArrivals, policy.nap(now, loop.mustPoll(), loop.untilTick(now)));
        policy.slept(now, clock.nanoTime());
    }
}
