package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A turn ends while the watchdog steals the loop. Exactly one of both owns the loop afterwards. */
@JCStressTest
@Description("The end of a turn beside a thief: exactly one has the loop.")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the turn ended in time")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the thief has it")
@Outcome(expect = FORBIDDEN, desc = "nobody has it, or both have")
@State
public class TurnGuardEndTest {

    private final TurnGuard guard = new TurnGuard();
    private final long turn = guard.begin();

    /** Creates the state of one try: a turn is on. */
    public TurnGuardEndTest() {}

    /**
     * The thread in the turn.
     *
     * @param result whether it still has the loop
     */
    @Actor
    public void end(ZZ_Result result) {
        result.r1 = guard.end(turn);
    }

    /**
     * The watchdog.
     *
     * @param result whether it has the loop
     */
    @Actor
    public void steal(ZZ_Result result) {
        result.r2 = guard.steal(turn);
    }
}
