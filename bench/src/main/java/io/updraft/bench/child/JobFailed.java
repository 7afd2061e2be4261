package io.updraft.bench.child;

/** The job of a {@link PeerRuntime} failed, or did not end in time. The message says why. */
final class JobFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JobFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
