package io.updraft.bench.topology.state;

/** A worker ended or stopped answering before the run was over. The message names its process id. */
public final class WorkerLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WorkerLost(String message, Throwable cause) {
        super(message, cause);
    }
}
