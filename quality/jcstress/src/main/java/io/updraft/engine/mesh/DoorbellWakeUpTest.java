package io.updraft.engine.mesh;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/**
 * A loop goes to sleep while another thread posts a batch. The loop finds the batch or is woken, and sees its whole content.
 */
@JCStressTest
@Description("A batch posted to a loop that is about to sleep: no lost wake-up, nothing half written.")
@Outcome(id = "0, 4711", expect = ACCEPTABLE, desc = "it has not slept out its time, and the batch is whole")
@Outcome(id = "1, .*", expect = FORBIDDEN, desc = "it slept to the end: the wake-up was lost")
@Outcome(expect = FORBIDDEN, desc = "the batch is not there or not whole")
@State
public class DoorbellWakeUpTest {

    /** Long against any time for which a thread that was woken may have to wait for a core. */
    private static final long NANOS = 3_000_000_000L;

    private final Doorbell bell = new Doorbell();
    private final Queue<Batch> mailbox = new ConcurrentLinkedQueue<>();

    /** Creates the state of one try. */
    public DoorbellWakeUpTest() {}

    /**
     * The loop.
     *
     * @param result whether it slept to the end, and the batch's report
     */
    @Actor
    public void sleep(IJ_Result result) {
        long end = System.nanoTime() + NANOS;
        while (mailbox.isEmpty() && System.nanoTime() < end) {
            bell.sleepUnless(() -> !mailbox.isEmpty(), NANOS);
        }
        result.r1 = System.nanoTime() < end ? 0 : 1;
        Batch batch = mailbox.poll();
        result.r2 = batch == null || batch.tupleCount() != 1 ? -1 : batch.value(0);
    }

    /** Whoever posts. */
    @Actor
    public void post() {
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(null, null), 1);
        batch.addReport(Batch.ACK, 1, 2, 4711);
        mailbox.add(batch);
        bell.ring();
    }
}
