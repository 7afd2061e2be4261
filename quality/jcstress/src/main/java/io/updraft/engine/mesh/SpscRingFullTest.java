package io.updraft.engine.mesh;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A full ring refuses offers, and a slot is not reused before it has been read. */
@JCStressTest
@Description("Three offers to a ring of two beside three polls: what was accepted is what comes out.")
@Outcome(id = "12, 12", expect = ACCEPTABLE, desc = "the third was refused")
@Outcome(id = "123, 123", expect = ACCEPTABLE, desc = "a poll made room for the third")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled or out of order")
@State
public class SpscRingFullTest {

    private final SpscRing<Integer> ring = new SpscRing<>(2);

    /** Written by the consumer, read by the arbiter. */
    private int taken;

    /** Creates the state of one try. */
    public SpscRingFullTest() {}

    /**
     * The producer.
     *
     * @param result gets what was accepted, as digits
     */
    @Actor
    public void produce(II_Result result) {
        int accepted = 0;
        for (int value = 1; value <= 3; value++) {
            if (ring.offer(value)) {
                accepted = 10 * accepted + value;
            }
        }
        result.r1 = accepted;
    }

    private void take() {
        Integer value = ring.poll();
        if (value != null) {
            taken = 10 * taken + value;
        }
    }

    /** The consumer. */
    @Actor
    public void consume() {
        take();
        take();
        take();
    }

    /**
     * Takes what is left.
     *
     * @param result gets all that came out, as digits
     */
    @Arbiter
    public void rest(II_Result result) {
        take();
        take();
        result.r2 = taken;
    }
}
