package io.updraft.bench.workers;

/** A worker ended, or fell silent, before the run was over; the message names its process. */
public final class WorkerLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WorkerLost(String message, Throwable cause) {
        super(message, cause);
    }
}
