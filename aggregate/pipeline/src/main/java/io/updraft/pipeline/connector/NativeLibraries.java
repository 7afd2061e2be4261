package io.updraft.pipeline.connector;

/** Libraries that unpack native code into the temporary directory when they are first used, as those for compression do. */
public final class NativeLibraries {

    private NativeLibraries() {}

    /** Returns why a library cannot be loaded and what helps, in one line. */
    public static String reason(LinkageError e) {
        String cause = String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
        return "a library cannot be loaded (" + cause + "); if " + System.getProperty("java.io.tmpdir")
                + " is full or mounted with noexec, name another directory: UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=...";
    }
}
