package io.updraft.engine.mesh;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** What is handed over comes out once, in order, and whole, also when it is added to what waits while that is taken. */
@JCStressTest
@Description(
        "Three reports sent one by one, beside two takers' looks: nothing lost, doubled, out of order or half written.")
@Outcome(id = "0, 0, 123", expect = ACCEPTABLE, desc = "came too early")
@Outcome(id = "1, 0, 23", expect = ACCEPTABLE, desc = "the second look found the batch with the sender, or nothing")
@Outcome(id = "12, 0, 3", expect = ACCEPTABLE, desc = "two at once")
@Outcome(id = "123, 0, 0", expect = ACCEPTABLE, desc = "all at once")
@Outcome(id = "0, 1, 23", expect = ACCEPTABLE, desc = "the first look came too early")
@Outcome(id = "0, 12, 3", expect = ACCEPTABLE, desc = "the first look came too early")
@Outcome(id = "0, 123, 0", expect = ACCEPTABLE, desc = "the first look came too early")
@Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "one at each look")
@Outcome(id = "1, 23, 0", expect = ACCEPTABLE, desc = "in two parts")
@Outcome(id = "12, 3, 0", expect = ACCEPTABLE, desc = "in two parts")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, out of order or half written")
@State
public class HandoverOrderTest {

    private final Handover handover = new Handover(8);

    /** Creates the state of one try. */
    public HandoverOrderTest() {}

    private void send(int digit) {
        Batch batch = new Batch();
        batch.addReport(Batch.ACK, 1, digit, 0);
        handover.offer(batch);
    }

    /** What was taken, as digits; what it was in goes back, to be used again. */
    private int take() {
        Batch taken = handover.poll();
        int digits = 0;
        if (taken != null) {
            for (int i = 0; i < taken.reportCount(); i++) {
                digits = 10 * digits + (int) taken.root(i);
            }
            taken.clear();
            handover.giveBack(taken);
        }
        return digits;
    }

    /** The sender. */
    @Actor
    public void send() {
        send(1);
        send(2);
        send(3);
    }

    /**
     * The taker.
     *
     * @param result what the first and the second look gave
     */
    @Actor
    public void take(III_Result result) {
        result.r1 = take();
        result.r2 = take();
    }

    /**
     * Takes what is left.
     *
     * @param result gets the rest, as digits
     */
    @Arbiter
    public void rest(III_Result result) {
        result.r3 = take();
    }
}
