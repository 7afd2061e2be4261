package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The watchdog and a turn that has emitted too much both try to give the loop to another thread. Exactly one succeeds. */
@JCStressTest
@Description("Two thieves of one turn: exactly one has the loop.")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the turn has given it up")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the watchdog has taken it")
@Outcome(expect = FORBIDDEN, desc = "nobody has it, or both have")
@State
public class TurnGuardThievesTest {

    private final TurnGuard guard = new TurnGuard();
    private final long turn = guard.begin();

    /** Creates the state of one try: a turn is on. */
    public TurnGuardThievesTest() {}

    /**
     * The thread in the turn.
     *
     * @param result whether it has given up the loop
     */
    @Actor
    public void surrender(ZZ_Result result) {
        result.r1 = guard.steal(turn);
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
