package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * An action requested of a task, such as wrapping it, runs exactly once, even if the task moves to another executor meanwhile.
 */
@JCStressTest
@Description("Something is ordered of a task while it goes to another executor.")
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "the task was moved, and did once what was ordered")
@Outcome(expect = FORBIDDEN, desc = "an order was lost or done twice, or the task did not move")
@State
public class MovedTaskActionTest {

    private final MovingTasks tasks = new MovingTasks("bolt");

    /** Plain: only executors that have the task do what is ordered. */
    private int done;

    /** Creates the state of one try. */
    public MovedTaskActionTest() {}

    /** Who switches on debugging, for example. */
    @Actor
    public void order() {
        tasks.control.run(() -> done++);
    }

    /**
     * Who rebalances, while the loops stand.
     *
     * @param result whether it was done
     */
    @Actor
    public void move(ZI_Result result) {
        result.r1 = tasks.rebalance();
    }

    /**
     * The loop, afterwards.
     *
     * @param result gets how often it was done
     */
    @Arbiter
    public void loop(ZI_Result result) {
        tasks.run();
        result.r1 &= tasks.executors() == 3;
        result.r2 = done;
    }
}
