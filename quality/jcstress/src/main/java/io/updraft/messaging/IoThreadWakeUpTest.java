package io.updraft.messaging;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.updraft.jcstress.Alarm;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A Storm thread submits a task while the owner of the transport is about to wait. The wake-up is not lost. */
@JCStressTest
@Description("A task handed to an owner that is about to wait: it finds it, or is woken.")
@Outcome(id = "0", expect = ACCEPTABLE, desc = "the task was done in time")
@Outcome(id = "1", expect = FORBIDDEN, desc = "it slept to the end: the wake-up was lost")
@State
public class IoThreadWakeUpTest {

    private final Alarm alarm = new Alarm();
    private final IoThread io = new IoThread(alarm.messenger());
    /** Owner only. */
    private boolean done;

    /** Creates the state of one try. */
    public IoThreadWakeUpTest() {}

    /**
     * The owner.
     *
     * @param result whether it slept to the end
     */
    @Actor
    public void own(I_Result result) {
        while (!done && !alarm.hasOverslept()) {
            if (io.doWork() == 0) {
                io.idle();
            }
        }
        result.r1 = alarm.hasOverslept() ? 1 : 0;
    }

    /** Storm's thread. */
    @Actor
    public void handOver() {
        io.execute(() -> done = true);
    }
}
