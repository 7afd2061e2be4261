package io.updraft.cluster.local;

import io.updraft.engine.api.ErrorReport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes on what workers tell of user code that failed, and the one failure that ends the topology. */
final class FailureTeller {
    private static final Logger LOG = LoggerFactory.getLogger(FailureTeller.class);

    private final Consumer<ErrorReport> onError;
    private final Consumer<ErrorReport> onDeath;
    private boolean dead;

    FailureTeller(Consumer<ErrorReport> onError, Consumer<ErrorReport> onDeath) {
        this.onError = onError;
        this.onDeath = onDeath;
    }

    boolean isDead() {
        return dead;
    }

    void onFailed(int worker, ErrorReport report) {
        LOG.warn(
                "worker {}: component '{}', task {}, {}: {}",
                worker,
                report.componentId(),
                report.taskId(),
                report.during(),
                report.consequence(),
                report.error());
        onError.accept(report);
    }

    /** {@return whether the topology has died of this: only the first failure of that kind counts} */
    boolean onDied(ErrorReport report) {
        if (dead) {
            return false;
        }
        dead = true;
        // Not on this thread: whoever hears of it may ask for something that this thread has to do.
        Thread teller = new Thread(() -> onDeath.accept(report), "updraft-death");
        teller.setDaemon(true);
        teller.start();
        return true;
    }
}
