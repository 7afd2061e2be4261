package io.updraft.storm.component;

/** A component's subprocess has died or does not answer. */
final class SubprocessDiedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SubprocessDiedException(Throwable cause) {
        super("the subprocess has died or does not answer: " + cause.getMessage(), cause);
    }
}
