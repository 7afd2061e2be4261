package io.updraft.messaging;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.storm.messaging.TaskMessage;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A Storm thread adds messages to a queue while the owner removes them. No message is lost, and the byte count stays right. */
@JCStressTest
@Description("Messages that are taken come out once, and the bytes that are counted are those that are there.")
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the first one made it full")
@Outcome(id = "2, 2, 1", expect = ACCEPTABLE, desc = "the first one was taken out before the second came")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, or counted wrongly")
@State
public class SendQueueBytesTest {

    /** One byte makes it full. */
    private final SendQueue queue = new SendQueue(8, 1);

    private int taken;

    /** Creates the state of one try. */
    public SendQueueBytesTest() {}

    /**
     * Storm's thread.
     *
     * @param result how many of its messages went in
     */
    @Actor
    public void put(III_Result result) {
        result.r1 = count(queue.offer(message())) + count(queue.offer(message()));
    }

    /** The owner. */
    @Actor
    public void take() {
        if (queue.peek() != null) {
            queue.remove();
            taken++;
        }
    }

    /**
     * Takes out the rest, and puts in again: an empty queue has room for exactly one.
     *
     * @param result how many messages came out, and how many go in now
     */
    @Arbiter
    public void check(III_Result result) {
        for (; queue.peek() != null; taken++) {
            queue.remove();
        }
        result.r2 = taken;
        result.r3 = count(queue.offer(message())) + count(queue.offer(message()));
    }

    private static int count(boolean done) {
        return done ? 1 : 0;
    }

    private static TaskMessage message() {
        return new TaskMessage(1, new byte[10]);
    }
}
