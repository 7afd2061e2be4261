package io.updraft.transport.ucx;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Another thread wakes the owner of a UCX transport while the owner begins to wait. The wake-up is not lost. */
@JCStressTest
@Description("A wake-up just before or while the owner waits.")
@Outcome(id = "0", expect = ACCEPTABLE, desc = "it has not waited out its time")
@Outcome(id = "1", expect = FORBIDDEN, desc = "it waited to the end: the wake-up was lost")
@State
public class WaiterWakeUpTest {

    private static final long NANOS = 3_000_000_000L;

    private final PollingWait waiter = new PollingWait(false);

    /** Creates the state of one try. */
    public WaiterWakeUpTest() {}

    /**
     * The owner.
     *
     * @param result whether it waited to the end
     */
    @Actor
    public void await(I_Result result) {
        long began = System.nanoTime();
        waiter.await(NANOS, () -> false);
        result.r1 = System.nanoTime() - began < NANOS ? 0 : 1;
    }

    /** Whoever wakes it. */
    @Actor
    public void wake() {
        waiter.wakeUp();
    }
}
