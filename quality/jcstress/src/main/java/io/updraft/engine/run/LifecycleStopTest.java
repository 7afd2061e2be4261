package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A thread that sees that a topology is stopping also sees that it is inactive, and calls no spout. */
@JCStressTest
@Description("A topology that stops is not active.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "not yet")
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "inactive, about to stop")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "stopping")
@Outcome(id = "true, true", expect = FORBIDDEN, desc = "stopping, but active")
@State
public class LifecycleStopTest {

    private final TopologyLifecycle lifecycle = new TopologyLifecycle();

    /** Creates the state of one try: an active topology. */
    public LifecycleStopTest() {
        lifecycle.activate();
    }

    /** The owner. */
    @Actor
    public void stop() {
        lifecycle.stop();
    }

    /**
     * A loop.
     *
     * @param result whether the topology stops and whether it is active
     */
    @Actor
    public void look(ZZ_Result result) {
        result.r1 = lifecycle.isStopping();
        result.r2 = lifecycle.isActive();
    }
}
