package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * The ordering that awaitIdle relies on: a thread that sees a tuple counted as executed also sees the tuples it sent counted.
 */
@JCStressTest
@Description("Executed is published after transferred and read before it.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing published yet")
@Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "between the two")
@Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "both published")
@Outcome(expect = FORBIDDEN, desc = "executed without what it sent: idle too early")
@State
public class CountersOrderTest {

    private final ExecutorCounters counters = new ExecutorCounters();

    /** Creates the state of one try. */
    public CountersOrderTest() {}

    /** The executor. */
    @Actor
    public void publish() {
        counters.putRelease(ExecutorCounter.TRANSFERRED, 3);
        counters.putRelease(ExecutorCounter.EXECUTED, 1);
    }

    /**
     * Whoever waits until nothing is in flight.
     *
     * @param result executed and transferred
     */
    @Actor
    public void look(JJ_Result result) {
        result.r1 = counters.getAcquire(ExecutorCounter.EXECUTED);
        result.r2 = counters.getAcquire(ExecutorCounter.TRANSFERRED);
    }
}
