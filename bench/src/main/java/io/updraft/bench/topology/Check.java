package io.updraft.bench.topology;

import java.util.ArrayList;
import java.util.List;

/** Collects what does not add up. */
public final class Check {

    private final List<String> problems = new ArrayList<>();

    /**
     * Compares two counts.
     *
     * @param expectedName what the first is
     * @param expected the first
     * @param actualName what the second is
     * @param actual the second
     * @return this
     */
    public Check equal(String expectedName, long expected, String actualName, long actual) {
        if (expected != actual) {
            problems.add(String.format(
                    "%s %,d but %s %,d (difference %,d)",
                    expectedName, expected, actualName, actual, actual - expected));
        }
        return this;
    }

    /**
     * Looks whether each message has arrived, or its spout was told that it failed, as Storm promises it.
     *
     * @param run what was counted
     * @param emitted messages that were emitted
     * @param component the component that should have received them
     * @return this
     */
    public Check arrived(RunState run, long emitted, String component) {
        long received = run.sum(component, Counter.RECEIVED);
        long failed = run.sum(BenchTopology.SPOUT, Counter.FAILED);
        boolean excused = received < emitted && emitted - received <= failed;
        return excused ? this : equal("emitted", emitted, component + " received", received);
    }

    /**
     * Compares what spouts emitted with what they were told about.
     *
     * @param run what was counted
     * @param acked whether messages are tracked; nothing is compared otherwise
     * @return this
     */
    public Check completed(RunState run, boolean acked) {
        if (!acked) {
            return this;
        }
        long told = run.sum(BenchTopology.SPOUT, Counter.ACKED) + run.sum(BenchTopology.SPOUT, Counter.FAILED);
        return equal("emitted", run.sum(BenchTopology.SPOUT, Counter.EMITTED), "acked or failed", told);
    }

    /** {@return what did not add up so far} */
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
