package io.updraft.storm;

/** Thrown when a program in a jar cannot be run. The message is one line for the user who started it. */
public final class JarRunException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kind of failure. */
    public enum Kind {
        /** The file does not exist or cannot be read. */
        NO_SUCH_JAR,
        /** The file is not a jar. */
        NOT_A_JAR,
        /** The class is not in the jar or cannot be loaded. */
        NO_SUCH_CLASS,
        /** The class has no {@code public static void main(String[])}. */
        NO_MAIN,
        /** A topology that the program submitted was refused; the cause is the refusal. */
        TOPOLOGY_REFUSED,
        /** The program reports that its own input is wrong; the message is complete. */
        BAD_INPUT,
        /** {@code main} threw an exception, which is the cause. */
        PROGRAM_FAILED,
        /** {@code main} returned without submitting a topology. */
        NOTHING_SUBMITTED
    }

    private final Kind kind;

    JarRunException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** {@return the kind of failure} */
    public Kind kind() {
        return kind;
    }
}
