package io.updraft.cluster.coordinator;

import io.updraft.engine.api.ErrorReport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes on failures of user code that workers report, and the one failure that ends the topology. */
final class FailureNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(FailureNotifier.class);

    private final Consumer<ErrorReport> onError;
    private final Consumer<ErrorReport> onDeath;
    private boolean dead;

    FailureNotifier(Consumer<ErrorReport> onError, Consumer<ErrorReport> onDeath) {
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

    /** {@return whether this failure ends the topology: only the first failure of this kind counts} */
    boolean onDied(ErrorReport report) {
        if (dead) {
            return false;
        }
        dead = true;
        // Runs on its own thread: the listener may request something that the current thread must do.
        Thread teller = new Thread(() -> onDeath.accept(report), "updraft-death");
        teller.setDaemon(true);
        teller.start();
        return true;
    }
}
