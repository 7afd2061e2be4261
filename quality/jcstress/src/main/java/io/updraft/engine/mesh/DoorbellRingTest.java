package io.updraft.engine.mesh;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Like {@link DoorbellWakeUpTest}, but with a ring, which publishes with a release only. Without the doorbell's fences, each
 * side could miss the other's write.
 */
@JCStressTest
@Description("An element offered to a sleeper: no lost wake-up.")
@Outcome(id = "0", expect = ACCEPTABLE, desc = "it has not slept out its time")
@Outcome(id = "1", expect = FORBIDDEN, desc = "it slept to the end: the wake-up was lost")
@State
public class DoorbellRingTest {

    private static final long NANOS = 3_000_000_000L;

    private final Doorbell bell = new Doorbell();
    private final SpscRing<String> ring = new SpscRing<>(2);

    /** Creates the state of one try. */
    public DoorbellRingTest() {}

    /**
     * The sleeper.
     *
     * @param result whether it slept to the end
     */
    @Actor
    public void sleep(I_Result result) {
        long end = System.nanoTime() + NANOS;
        while (ring.isEmpty() && System.nanoTime() < end) {
            bell.sleepUnless(() -> !ring.isEmpty(), NANOS);
        }
        result.r1 = System.nanoTime() < end ? 0 : 1;
    }

    /** The producer. */
    @Actor
    public void produce() {
        ring.offer("x");
        bell.ring();
    }
}
