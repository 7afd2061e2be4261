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

/** A ring delivers each element once, in order, with all writes that preceded the offer. */
@JCStressTest
@Description("Two offers beside two polls: nothing lost, doubled, out of order or half written.")
@Outcome(id = "-1, -1, 12", expect = ACCEPTABLE, desc = "polled too early")
@Outcome(id = "-1, 1, 2", expect = ACCEPTABLE, desc = "the first poll was too early")
@Outcome(id = "1, -1, 2", expect = ACCEPTABLE, desc = "the second poll was too early")
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "both arrived")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, out of order or half written")
@State
public class SpscRingOrderTest {

    /** Its field is neither final nor volatile: only the ring publishes it. */
    private static final class Box {
        private int value;
    }

    private final SpscRing<Box> ring = new SpscRing<>(4);

    /** Creates the state of one try. */
    public SpscRingOrderTest() {}

    private void offer(int value) {
        Box box = new Box();
        box.value = value;
        ring.offer(box);
    }

    private int poll() {
        Box box = ring.poll();
        return box == null ? -1 : box.value;
    }

    /** The producer. */
    @Actor
    public void produce() {
        offer(1);
        offer(2);
    }

    /**
     * The consumer.
     *
     * @param result what the first and the second poll gave
     */
    @Actor
    public void consume(III_Result result) {
        result.r1 = poll();
        result.r2 = poll();
    }

    /**
     * Takes what is left.
     *
     * @param result gets the rest, as digits
     */
    @Arbiter
    public void rest(III_Result result) {
        for (int value = poll(); value != -1; value = poll()) {
            result.r3 = 10 * result.r3 + value;
        }
    }
}
