package io.updraft.bench.process;

/** A child JVM failed, or ended without a result. The message says how, and has the end of its log. */
public final class ChildLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public ChildLost(String message) {
        super(message);
    }
}
