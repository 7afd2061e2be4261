package io.updraft.bench.workers;

import java.util.List;

/** A topology that runs in worker processes. Used by one thread, except {@link #close}, which any thread may call. */
public interface WorkersTopology extends AutoCloseable {

    /** {@return the processes of the live workers; fewer than requested while workers start or after one has died} */
    List<ProcessHandle> workers();

    /** {@return one line for each worker that ended unexpectedly, oldest first} */
    default List<String> obituaries() {
        return List.of();
    }

    /** Ends the topology. Returns when its workers have ended. Idempotent. */
    @Override
    void close();
}
