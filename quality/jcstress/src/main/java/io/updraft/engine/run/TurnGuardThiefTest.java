package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZI_Result;

/** A thread that steals a loop sees all writes to the loop from before the turn. A turn that has ended cannot be stolen. */
@JCStressTest
@Description("What was written before a turn is seen by who steals the loop in it.")
@Outcome(id = "0, true, -1", expect = ACCEPTABLE, desc = "no turn was on yet, or no more")
@Outcome(id = "7, false, 7", expect = ACCEPTABLE, desc = "stolen in the first turn, with all that was before it")
@Outcome(id = "8, false, 8", expect = ACCEPTABLE, desc = "stolen in the second turn, with all that was before it")
@Outcome(expect = FORBIDDEN, desc = "stolen without what was before, or by two")
@State
public class TurnGuardThiefTest {

    private final TurnGuard guard = new TurnGuard();

    /** The loop's own state, plain. */
    private int state;

    /** Creates the state of one try. */
    public TurnGuardThiefTest() {}

    /**
     * The loop's thread: two turns, as long as it has the loop.
     *
     * @param result whether it has it at the end
     */
    @Actor
    public void run(IZI_Result result) {
        state = 7;
        result.r2 = guard.end(guard.begin());
        if (result.r2) {
            state = 8;
            result.r2 = guard.end(guard.begin());
        }
    }

    /**
     * The watchdog.
     *
     * @param result the state as it was when the loop was stolen, twice; 0 and -1 if it was not
     */
    @Actor
    public void steal(IZI_Result result) {
        long turn = guard.current();
        if (turn != 0 && guard.steal(turn)) {
            result.r1 = state;
            result.r3 = state;
        } else {
            result.r1 = 0;
            result.r3 = -1;
        }
    }
}
