package io.updraft.bench.child;

import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.workers.WorkersRuntime;
import java.io.IOException;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;

/**
 * Creates and keeps the runtimes that execute runs. A cluster or peer in this process lives for one run. A runtime with worker
 * processes is kept for later runs, until it is closed.
 */
final class RuntimeCache implements AutoCloseable {

    private volatile WorkersRuntime workers;
    private boolean closed;

    /** {@return the site of one run} */
    RunSite site(RunSpec spec) throws ReflectiveOperationException, IOException {
        Class<?> type = Class.forName(spec.runtimeClass());
        if (WorkersRuntime.class.isAssignableFrom(type)) {
            int count = ((Number) spec.conf().get(Config.TOPOLOGY_WORKERS)).intValue();
            return new WorkerRunSite(workers(type.asSubclass(WorkersRuntime.class)), count);
        }
        if (PeerRuntime.class.isAssignableFrom(type)) {
            return new PeerRunSite(
                    type.asSubclass(PeerRuntime.class).getConstructor().newInstance(), spec.shape());
        }
        return new LocalRunSite(
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

    /** Whether a runtime with worker processes is kept. */
    boolean isKept() {
        return workers != null;
    }

    /** Closes the kept runtime and returns when it is closed. Any thread may call this, also during a run. */
    @Override
    public synchronized void close() {
        if (!closed && workers != null) {
            closed = true;
            workers.close();
        }
    }
}
