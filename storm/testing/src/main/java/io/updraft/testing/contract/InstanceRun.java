package io.updraft.testing.contract;

import java.util.concurrent.locks.LockSupport;

/** One instance of the component, from its creation to its end. */
abstract class InstanceRun {
    private static final long PUSH_BACK_NANOS = 200_000;

    final ComponentEnvironment stage;
    final ViolationCollector findings;
    final ValueCheck values;
    final CallGuard guarded;

    /** Whether the instance has ended, so that nothing counts any more. Guarded by this object. */
    boolean closed;

    private final boolean pushesBack;

    InstanceRun(ComponentEnvironment stage, ViolationCollector findings, CallGuard guarded, boolean pushesBack) {
        this.stage = stage;
        this.findings = findings;
        this.values = new ValueCheck(stage.conf(), findings);
        this.guarded = guarded;
        this.pushesBack = pushesBack;
    }

    void pushBack() {
        if (pushesBack) {
            LockSupport.parkNanos(PUSH_BACK_NANOS);
        }
    }

    synchronized void end() {
        closed = true;
        values.end();
    }
}
