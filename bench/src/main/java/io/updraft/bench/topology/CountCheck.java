package io.updraft.bench.topology;

import java.util.ArrayList;
import java.util.List;

/** Compares counts and collects the mismatches. */
public final class CountCheck {

    private final List<String> problems = new ArrayList<>();

    /**
     * Compares two counts.
     *
     * @param expectedName the name of the expected count
     * @param actualName the name of the actual count
     */
    public CountCheck equal(String expectedName, long expected, String actualName, long actual) {
        if (expected != actual) {
            problems.add(String.format(
                    "%s %,d but %s %,d (difference %,d)",
                    expectedName, expected, actualName, actual, actual - expected));
        }
        return this;
    }

    /**
     * Checks that each message arrived or failed at its spout, as Storm guarantees.
     *
     * @param emitted the number of emitted messages
     * @param component the id of the component that must receive them
     */
    public CountCheck arrived(BenchRunState run, long emitted, String component) {
        long received = run.sum(component, TaskCounter.RECEIVED);
        long failed = run.sum(BenchTopology.SPOUT, TaskCounter.FAILED);
        boolean excused = received < emitted && emitted - received <= failed;
        return excused ? this : equal("emitted", emitted, component + " received", received);
    }

    /**
     * Checks that each emitted message was acked or failed.
     *
     * @param acked whether messages are tracked; if not, this checks nothing
     */
    public CountCheck completed(BenchRunState run, boolean acked) {
        if (!acked) {
            return this;
        }
        long reported =
                run.sum(BenchTopology.SPOUT, TaskCounter.ACKED) + run.sum(BenchTopology.SPOUT, TaskCounter.FAILED);
        return equal("emitted", run.sum(BenchTopology.SPOUT, TaskCounter.EMITTED), "acked or failed", reported);
    }

    /** {@return the mismatches so far, one line each} */
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
