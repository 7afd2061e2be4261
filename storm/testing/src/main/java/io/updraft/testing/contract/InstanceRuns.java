package io.updraft.testing.contract;

import java.time.Duration;
import java.util.Random;
import java.util.function.BiConsumer;

/** Runs instances of the component, each on its own thread, and counts them. */
final class InstanceRuns {
    private final ViolationCollector findings;
    private final Duration limit;
    private final long seed;
    private int count;

    InstanceRuns(ViolationCollector findings, Duration limit, long seed) {
        this.findings = findings;
        this.limit = limit;
        this.seed = seed;
    }

    void run(String conditions, BiConsumer<CallGuard, Random> instance) {
        findings.during(conditions);
        count++;
        ThreadLeakCheck threads = new ThreadLeakCheck();
        try (CallGuard guarded = new CallGuard(findings, limit)) {
            instance.accept(guarded, new Random(seed));
        }
        threads.end(findings);
    }

    int count() {
        return count;
    }
}
