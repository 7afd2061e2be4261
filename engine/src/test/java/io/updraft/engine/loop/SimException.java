package io.updraft.engine.loop;

/** What the components of a simulation throw on purpose; anything else that is reported is a bug. */
final class SimException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimException(String during) {
        super("thrown on purpose by " + during, null, false, false);
    }
}
