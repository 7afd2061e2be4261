package io.updraft.storm;

/** A program in a jar that could not be run; the message is one line for the person who started it. */
public final class JarRunException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** There is no file of that name, or it cannot be read. */
        NO_SUCH_JAR,
        /** The file is not a jar. */
        NOT_A_JAR,
        /** The class is not in the jar, or it cannot be loaded. */
        NO_SUCH_CLASS,
        /** The class has no {@code public static void main(String[])}. */
        NO_MAIN,
        /** The program submitted a topology that was refused; the cause is the refusal. */
        TOPOLOGY_REFUSED,
        /** The program's own input is wrong; the message is all that there is to say. */
        BAD_INPUT,
        /** {@code main} threw; the cause is what it threw. */
        PROGRAM_FAILED,
        /** {@code main} returned without submitting a topology. */
        NOTHING_SUBMITTED
    }

    private final Kind kind;

    /**
     * Creates the failure.
     *
     * @param kind what went wrong
     * @param message one line
     * @param cause what lies behind it, or null
     */
    JarRunException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** {@return what went wrong} */
    public Kind kind() {
        return kind;
    }
}
