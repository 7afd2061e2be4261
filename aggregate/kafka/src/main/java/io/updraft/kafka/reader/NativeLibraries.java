package io.updraft.kafka.reader;

import java.util.Optional;

/** Libraries that unpack native code into the temporary directory when they are first used, as those for compression do. */
public final class NativeLibraries {

    private static final int MAX_CAUSES = 20;

    private NativeLibraries() {}

    /** Returns why a library cannot be loaded and what helps, in one line. */
    public static String reason(LinkageError e) {
        String cause = String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
        return "a library cannot be loaded (" + cause + "); if " + System.getProperty("java.io.tmpdir")
                + " is full or mounted with noexec, name another directory: UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=...";
    }

    /** Returns why a library cannot be loaded if a failure or one of its causes says so, in one line. */
    public static Optional<String> reasonIn(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            boolean isMissing = cause instanceof UnsatisfiedLinkError
                    || cause instanceof NoClassDefFoundError
                    || cause instanceof ExceptionInInitializerError;
            if (isMissing) {
                return Optional.of(reason((LinkageError) cause));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }
}
