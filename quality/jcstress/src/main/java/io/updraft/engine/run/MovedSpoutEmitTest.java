package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.storm.tuple.Values;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A message emitted by a user's thread is not lost when the spout's task moves to another executor at the same time. */
@JCStressTest
@Description("A thread of the user's emits while the task of its spout goes to another executor.")
@Outcome(id = "true, 2, 2", expect = ACCEPTABLE, desc = "the task was moved, and the message was received and acked")
@Outcome(expect = FORBIDDEN, desc = "a message was lost, or the task did not move")
@State
public class MovedSpoutEmitTest {

    private final MovingTasks tasks = new MovingTasks("spout");

    /** Creates the state of one try, with nothing in flight: else the spout could not be moved. */
    public MovedSpoutEmitTest() {
        tasks.bolt.out.ack(tasks.bolt.held);
        tasks.run();
    }

    /** The thread of the user's. */
    @Actor
    public void emit() {
        tasks.spout.out.emit(new Values(2), 2);
    }

    /**
     * Who rebalances, while the loops stand.
     *
     * @param result whether it was done
     */
    @Actor
    public void move(ZII_Result result) {
        result.r1 = tasks.rebalance();
    }

    /**
     * The loop, afterwards.
     *
     * @param result gets the number of tuples that the bolt received, and of acks that the spout hears of
     */
    @Arbiter
    public void loop(ZII_Result result) {
        tasks.run();
        result.r1 &= tasks.executors() == 3;
        result.r2 = tasks.received;
        result.r3 = tasks.acked;
    }
}
