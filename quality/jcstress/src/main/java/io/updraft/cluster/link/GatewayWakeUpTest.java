package io.updraft.cluster.link;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.updraft.jcstress.Alarm;
import io.updraft.transport.Address;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.PeerIdentity;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A loop, or a thread with a command, wakes the gateway while the gateway is about to sleep. The wake-up is not lost. */
@JCStressTest
@Description("Something to do for a gateway that is about to sleep: it sees it, or is woken.")
@Outcome(id = "0", expect = ACCEPTABLE, desc = "it has not slept out its time")
@Outcome(id = "1", expect = FORBIDDEN, desc = "it slept to the end: the wake-up was lost")
@State
public class GatewayWakeUpTest {

    private static final LinkOptions OPTIONS = new LinkOptions(
            Map.of(), new PeerIdentity("stress", 0, 1), Credentials.NONE, "localhost", new Address("localhost", 0));

    private final Alarm alarm = new Alarm();
    private final GatewayIdleStrategy doze = new GatewayIdleStrategy();
    private final Gateway gateway;
    /** Plain, as what waits in a ring may be: the fences are the doze's affair. */
    private boolean something;

    /** Creates the state of one try: a gateway that has had nothing to do for a while. */
    public GatewayWakeUpTest() {
        Messengers messengers = Messengers.of(OPTIONS, alarm.messenger());
        gateway = new Gateway(OPTIONS, messengers, report -> {});
        doze.setMessengers(messengers);
        for (int i = 0; i < 20; i++) {
            doze.idle(gateway, () -> true);
        }
    }

    /**
     * The gateway.
     *
     * @param result whether it slept to the end
     */
    @Actor
    public void sleep(I_Result result) {
        doze.idle(gateway, () -> something);
        result.r1 = alarm.hasOverslept() ? 1 : 0;
    }

    /** Whoever has something for it. */
    @Actor
    public void wake() {
        something = true;
        doze.wake();
    }
}
