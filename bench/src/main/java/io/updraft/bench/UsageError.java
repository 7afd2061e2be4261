package io.updraft.bench;

/** A wrong option. The message is one line that names the option and its value. */
public final class UsageError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageError(String option, Object value, String reason) {
        super(option + " " + value + ": " + reason);
    }

    /** {@return the error of an option that needs several workers} */
    static UsageError ofOneWorker(String option, String value) {
        return new UsageError(option, value, "applies only between workers: add --workers 2 or more");
    }
}
