package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.plan.EngineSettings.Idle;
import org.junit.jupiter.api.Test;

/** The policy beside a model of a loop: messages that arrive at a steady rate, and a time for each. */
class IdlePolicyTest {

    private static final long SECOND = 1_000_000_000;
    private static final long ROUND = 200;

    private long now;
    private long asleep;
    private long longestWait;

    /** Asks the policy; returns how long to sleep, nanoseconds, or 0. */
    private static long nap(IdlePolicy policy, long now, boolean mustPoll, long untilTick) {
        return policy.next(now) == IdlePolicy.Step.SLEEP ? policy.nap(now, mustPoll, untilTick) : 0;
    }

    /** Runs a loop whose spout gets a message every so many nanoseconds, which takes some time to process. */
    private void run(Idle idle, long every, long costs, long end) {
        IdlePolicy policy = new IdlePolicy(idle, 0);
        long due = 0;
        while (now < end) {
            if (now >= due) {
                while (now >= due) {
                    longestWait = Math.max(longestWait, now - due);
                    now += costs;
                    due += every;
                }
                policy.busy();
            } else {
                now += ROUND;
                long nap = nap(policy, now, true, Long.MAX_VALUE);
                if (nap > 0) {
                    asleep += nap;
                    policy.slept(now, now + nap);
                    now += nap;
                }
            }
        }
    }

    private double sleeping() {
        return (double) asleep / now;
    }

    @Test
    void aLoopWithLittleWorkShouldSleepAndDelayNoMessageForLong() {
        run(Idle.BALANCED, 10_000, 500, SECOND);
        assertThat(sleeping()).isGreaterThan(0.85);
        assertThat(longestWait).isLessThan(400_000);
    }

    @Test
    void aLoopThatSavesShouldSleepAtOnceAndPollOnceAMillisecond() {
        run(Idle.SAVING, 5_000_000, 100_000, SECOND);
        assertThat(sleeping()).isGreaterThan(0.97);
        assertThat(longestWait).isLessThan(1_100_000);
    }

    @Test
    void aLoopThatPrefersLatencyShouldSpinWhileMessagesArrive() {
        run(Idle.LATENCY, 10_000, 500, SECOND);
        assertThat(sleeping()).isZero();
        assertThat(longestWait).isLessThan(1000);
    }

    @Test
    void aLoopWithMuchWorkShouldOnlyTryToSleep() {
        run(Idle.BALANCED, 10_000, 9000, SECOND);
        assertThat(sleeping()).isLessThan(0.03);
    }

    @Test
    void aLoopWithoutMessagesShouldSleepLongerAndLonger() {
        run(Idle.BALANCED, 10 * SECOND, 500, SECOND);
        assertThat(sleeping()).isGreaterThan(0.99);
        IdlePolicy policy = new IdlePolicy(Idle.BALANCED, 0);
        long first = 0;
        long nap = 0;
        for (long time = 0; time < SECOND; time += ROUND + Math.max(0, nap)) {
            nap = nap(policy, time, true, Long.MAX_VALUE);
            first = first == 0 ? Math.max(0, nap) : first;
            if (nap > 0) {
                policy.slept(time, time + nap);
            }
        }
        assertThat(first).isEqualTo(IdlePolicy.POLL_NAP);
        assertThat(nap).isGreaterThan(10 * first);
    }

    @Test
    void aLoopThatOthersWakeShouldSleepUntilTheNextTick() {
        IdlePolicy policy = new IdlePolicy(Idle.BALANCED, 0);
        long nap = 0;
        while (nap <= 0) {
            nap = nap(policy, now, false, 7_000_000);
            now += ROUND;
        }
        assertThat(nap).isEqualTo(7_000_000);
    }

    @Test
    void aLoopThatIsWokenSoonShouldSpinFirst() {
        IdlePolicy policy = new IdlePolicy(Idle.BALANCED, 0);
        policy.slept(0, 60_000);
        assertThat(policy.next(61_000)).isEqualTo(IdlePolicy.Step.SPIN);
        policy.busy();
        policy.slept(100_000, 400_000);
        assertThat(nap(policy, 401_000, true, Long.MAX_VALUE)).isPositive();
    }
}
