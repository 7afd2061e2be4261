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

/** An ack from a user's thread is not lost when the task moves to another executor at the same time. */
@JCStressTest
@Description("A thread of the user's acks a tuple while its task goes to another executor.")
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "the task was moved, and the spout hears of the ack once")
@Outcome(expect = FORBIDDEN, desc = "an ack was lost, or the task did not move")
@State
public class MovedBoltAckTest {

    private final MovingTasks tasks = new MovingTasks("bolt");

    /** Creates the state of one try. */
    public MovedBoltAckTest() {}

    /** The thread of the user's. */
    @Actor
    public void ack() {
        tasks.bolt.out.ack(tasks.bolt.held);
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
     * @param result gets the number of acks that the spout hears of
     */
    @Arbiter
    public void loop(ZI_Result result) {
        tasks.run();
        result.r1 &= tasks.executors() == 3;
        result.r2 = tasks.acked;
    }
}
