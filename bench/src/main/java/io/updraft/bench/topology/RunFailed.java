package io.updraft.bench.topology;

/** A run cannot go on: a worker was lost, or the job of another runtime failed. The message says which one and why. */
public final class RunFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public RunFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
