package io.updraft.timeseries.aggregate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two tasks add the same id at once, and let others be forgotten. Exactly one adds it first. */
@JCStressTest
@Description("Of two rows with the same id that come at once, exactly one counts.")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the row of the first task counts")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the row of the second task counts")
@Outcome(id = "true, true", expect = FORBIDDEN, desc = "both count")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "none counts")
@State
public class SeenIdsFirstTest {

    private static final long WITHIN = 1_000;
    private static final byte[] OLD = {1};
    private static final byte[] SAME = {2};

    private final SeenIds ids = new SeenIds(WITHIN, 10, 2, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Creates the state of one try: an id that can be forgotten once both tasks have passed its time. */
    public SeenIdsFirstTest() {
        ids.add(OLD, OLD.length, 0);
    }

    /**
     * The first task.
     *
     * @param result whether its row counts
     */
    @Actor
    public void first(ZZ_Result result) {
        ids.passed(0, 2 * WITHIN);
        result.r1 = ids.add(SAME, SAME.length, 2 * WITHIN);
    }

    /**
     * The second task.
     *
     * @param result whether its row counts
     */
    @Actor
    public void second(ZZ_Result result) {
        ids.passed(1, 2 * WITHIN);
        result.r2 = ids.add(SAME, SAME.length, 2 * WITHIN + 1);
    }
}
