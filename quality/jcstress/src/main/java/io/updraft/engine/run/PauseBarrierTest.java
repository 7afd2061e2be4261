package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A thread that moves executors while a loop stands at the barrier sees all the loop's writes. The loop then sees the thread's
 * writes.
 */
@JCStressTest
@Description("A loop stands at a barrier while another thread changes what is the loop's.")
@Outcome(id = "2, true", expect = ACCEPTABLE, desc = "each sees what the other did")
@Outcome(expect = FORBIDDEN, desc = "somebody does not")
@State
public class PauseBarrierTest {

    private static final long LONG = 60_000;

    private final LoopThreads.PauseBarrier barrier = new LoopThreads.PauseBarrier(1);

    /** Plain: only the barrier orders what is done to it. */
    private int state;

    /** Creates the state of one try. */
    public PauseBarrierTest() {}

    /**
     * The loop.
     *
     * @param result gets what it finds when the barrier opens
     */
    @Actor
    public void loop(IZ_Result result) {
        state = 1;
        barrier.await();
        result.r1 = state;
    }

    /**
     * Who moves executors.
     *
     * @param result whether the loop stood and what it had done was seen
     */
    @Actor
    public void move(IZ_Result result) {
        result.r2 = awaitAll() && state == 1;
        state = 2;
        barrier.open();
    }

    private boolean awaitAll() {
        try {
            return barrier.awaitAll(LONG);
        } catch (InterruptedException e) {
            return false;
        }
    }
}
