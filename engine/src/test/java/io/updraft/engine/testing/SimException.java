package io.updraft.engine.testing;

/** The exception that components of a simulation throw on purpose. Any other reported exception is a bug. */
@SuppressWarnings("serial")
public final class SimException extends RuntimeException {
    public SimException(String during) {
        super("thrown on purpose by " + during, null, false, false);
    }
}
