package io.updraft.bench;

/** A wrong option. The message is one line that names the option and its value. */
final class UsageError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageError(String option, Object value, String reason) {
        super(option + " " + value + ": " + reason);
    }
}
