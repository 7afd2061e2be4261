package io.updraft.testing.contract;

import io.updraft.testing.contract.Violation.Rule;
import java.util.ArrayList;
import java.util.List;

/** Collects violations. The same message of one rule counts once. May be used from any thread. */
final class ViolationCollector {
    private static final int MAX_PER_RULE = 5;

    private final List<Violation> found = new ArrayList<>();
    private String during = "";

    synchronized void during(String conditions) {
        during = conditions;
    }

    synchronized void add(Rule rule, String message) {
        long ofRule = found.stream().filter(each -> each.rule() == rule).count();
        boolean repeated = found.stream()
                .anyMatch(each -> each.rule() == rule && each.message().equals(message));
        if (!repeated && ofRule < MAX_PER_RULE) {
            found.add(new Violation(rule, during, message));
        }
    }

    synchronized boolean has(Rule rule) {
        return found.stream().anyMatch(each -> each.rule() == rule);
    }

    synchronized List<Violation> all() {
        return List.copyOf(found);
    }
}
