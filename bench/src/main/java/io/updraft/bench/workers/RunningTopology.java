package io.updraft.bench.workers;

import java.util.List;

/** A topology that runs in worker processes. Used by one thread, but for {@link #close}, which any thread may call. */
public interface RunningTopology extends AutoCloseable {

    /** {@return the JVMs of the workers that live now; fewer than asked for while they start or after one has died} */
    List<ProcessHandle> workers();

    /** {@return what is known of workers that ended unasked, a line each, oldest first} */
    default List<String> obituaries() {
        return List.of();
    }

    /** Ends the topology; returns when its workers are gone. Idempotent. */
    @Override
    void close();
}
