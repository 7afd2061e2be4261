package io.updraft.testing.contract;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of running a component under hostile conditions.
 *
 * @param component the class of the component
 * @param seed the seed of every random choice; the same seed causes the same choices
 * @param violations the violations, at most five for each rule; the same message of one rule occurs once
 * @param runs number of instances that were run
 */
public record ContractReport(String component, long seed, List<Violation> violations, int runs) {
    /**
     * Fails the test when there is a violation.
     *
     * @throws AssertionError with all violations, one on each line
     */
    public void assertClean() {
        if (!violations.isEmpty()) {
            throw new AssertionError(toString());
        }
    }

    /** Returns the violations, one on each line. */
    @Override
    public String toString() {
        return component + ", " + runs + " instances, seed " + seed + ": "
                + (violations.isEmpty()
                        ? "no violations"
                        : violations.stream()
                                .map(violation -> "\n  " + violation)
                                .collect(Collectors.joining()));
    }
}
