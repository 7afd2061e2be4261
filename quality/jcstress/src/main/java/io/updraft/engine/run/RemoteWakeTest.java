package io.updraft.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.tuple.Batch;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A gateway empties a ring and goes to sleep, while a loop adds a batch. The loop wakes the gateway only if the ring was empty.
 */
@JCStressTest
@Description("The gateway has emptied the ring and is about to sleep: it sees the new batch, or it is woken.")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "seen, and woken for nothing")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "woken")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "seen before it slept")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "sleeps while a batch waits")
@State
public class RemoteWakeTest {

    private final SpscRing<Batch> ring = new SpscRing<>(4);
    private boolean woken;
    private final RemoteLanes.RemoteLaneReceiver end =
            new RemoteLanes.RemoteLaneReceiver(null, new BitSet(), () -> {}, () -> woken = true);

    /** Creates the state of one try: the gateway was woken for a batch and has not taken it. */
    public RemoteWakeTest() {
        ring.offer(new Batch());
    }

    /**
     * The loop.
     *
     * @param result whether it woke the gateway
     */
    @Actor
    public void send(ZZ_Result result) {
        ring.offer(new Batch());
        end.sent(ring);
        result.r1 = woken;
    }

    /**
     * The gateway.
     *
     * @param result whether it saw the batch
     */
    @Actor
    public void empty(ZZ_Result result) {
        ring.poll();
        boolean seen = ring.poll() != null;
        VarHandle.fullFence();
        result.r2 = seen || !ring.isEmpty();
    }
}
