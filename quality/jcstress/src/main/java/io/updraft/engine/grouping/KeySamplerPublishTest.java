package io.updraft.engine.grouping;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.updraft.engine.api.EngineClock;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A snapshot reads the keys of a sampler while the emitting task samples on. */
@JCStressTest
@Description("What is published is complete, and does not change when the sampler goes on.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "nothing published yet")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "published, complete")
@Outcome(expect = FORBIDDEN, desc = "published before it was complete, or changed later")
@State
public class KeySamplerPublishTest {

    /** As many samples as two publications need. */
    private static final int SAMPLES = 320;

    private static final List<Object> VALUES = List.of("the");
    private static final int[] FIELDS = {0};

    private final KeySampler sampler = new KeySampler(EngineClock.SYSTEM, new SplittableRandom(1), 2);

    /** Creates the state of one try. */
    public KeySamplerPublishTest() {}

    /** The thread that emits. */
    @Actor
    public void emit() {
        for (int i = 0; i < SAMPLES; i++) {
            sampler.sample(VALUES, FIELDS, 1, 1);
        }
    }

    /**
     * The thread that reads a snapshot.
     *
     * @param result whether something was published, and whether all of it fits together
     */
    @Actor
    public void read(ZZ_Result result) {
        KeySampler.Published seen = sampler.publishedAcquire();
        result.r1 = seen != null;
        result.r2 = seen == null || isComplete(seen);
    }

    private static boolean isComplete(KeySampler.Published seen) {
        return seen.total() > 0
                && Arrays.stream(seen.byTarget()).sum() == seen.total()
                && seen.keys().size() == 1
                && seen.keys().get(0).text().equals("the")
                && seen.keys().get(0).weight() == seen.total()
                && seen.keys().get(0).target() == 1;
    }
}
