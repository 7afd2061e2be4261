package io.updraft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The idiom of every ring: fill slots with plain writes, then publish them with one release store of the index. */
@JCStressTest
@Description("Slots written plainly are seen by whoever acquires the index that was released after them.")
@Outcome(id = "0, -1, -1", expect = ACCEPTABLE, desc = "nothing published yet")
@Outcome(id = "2, 11, 22", expect = ACCEPTABLE, desc = "published, and all of it is there")
@Outcome(expect = FORBIDDEN, desc = "an index without its slots")
@State
public class PublishByReleaseTest {

    private static final VarHandle INDEX;

    static {
        try {
            INDEX = MethodHandles.lookup().findVarHandle(PublishByReleaseTest.class, "index", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int[] slots = new int[2];

    @SuppressWarnings("unused") // through INDEX only
    private int index;

    /** Creates the state of one try. */
    public PublishByReleaseTest() {}

    /** The producer. */
    @Actor
    public void produce() {
        slots[0] = 11;
        slots[1] = 22;
        INDEX.setRelease(this, 2);
    }

    /**
     * The consumer.
     *
     * @param result the index it saw, and the slots below that index (-1 where there was none)
     */
    @Actor
    public void consume(III_Result result) {
        int published = (int) INDEX.getAcquire(this);
        result.r1 = published;
        result.r2 = published > 0 ? slots[0] : -1;
        result.r3 = published > 1 ? slots[1] : -1;
    }
}
