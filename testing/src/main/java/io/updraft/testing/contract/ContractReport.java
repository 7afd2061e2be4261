package io.updraft.testing.contract;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What came out of running a component under hostile conditions.
 *
 * @param component its class
 * @param seed the seed of every random choice; the same seed makes the same choices
 * @param violations what it did wrong; the same thing once for each rule and message
 * @param runs how many instances were run
 */
public record ContractReport(String component, long seed, List<Violation> violations, int runs) {

    /**
     * Copies the list.
     *
     * @param component its class
     * @param seed the seed of every random choice
     * @param violations what it did wrong
     * @param runs how many instances were run
     */
    public ContractReport {
        violations = List.copyOf(violations);
    }

    /**
     * Fails the test when there is a violation.
     *
     * @throws AssertionError with all of them, one in a line
     */
    public void assertClean() {
        if (!violations.isEmpty()) {
            throw new AssertionError(toString());
        }
    }

    /** The violations, one in a line. */
    @Override
    public String toString() {
        return component + ", " + runs + " instances, seed " + seed + ": "
                + (violations.isEmpty()
                        ? "nothing wrong"
                        : violations.stream()
                                .map(violation -> "\n  " + violation)
                                .collect(Collectors.joining()));
    }
}
