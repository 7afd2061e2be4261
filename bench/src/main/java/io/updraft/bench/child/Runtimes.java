package io.updraft.bench.child;

import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.workers.WorkersRuntime;
import java.io.IOException;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;

/**
 * What runs take place on. A cluster in this process lives for one run; a runtime with worker processes is kept for the runs
 * that follow, until it is closed.
 */
final class Runtimes implements AutoCloseable {

    private volatile WorkersRuntime workers;
    private boolean closed;

    /** {@return a place for one run} */
    Site site(RunSpec spec) throws ReflectiveOperationException, IOException {
        Class<?> type = Class.forName(spec.runtimeClass());
        if (WorkersRuntime.class.isAssignableFrom(type)) {
            int count = ((Number) spec.conf().get(Config.TOPOLOGY_WORKERS)).intValue();
            return new WorkerProcesses(workers(type.asSubclass(WorkersRuntime.class)), count);
        }
        return new SameProcess(
                type.asSubclass(ILocalCluster.class).getConstructor().newInstance());
    }

    private WorkersRuntime workers(Class<? extends WorkersRuntime> type) throws ReflectiveOperationException {
        if (workers != null && workers.getClass() != type) {
            workers.close();
            workers = null;
        }
        if (workers == null) {
            workers = type.getConstructor().newInstance();
        }
        return workers;
    }

    /** Whether there is something that outlives a run. */
    boolean isKept() {
        return workers != null;
    }

    /** Any thread may close, also while a run is on; returns when all is closed. */
    @Override
    public synchronized void close() {
        if (!closed && workers != null) {
            closed = true;
            workers.close();
        }
    }
}
