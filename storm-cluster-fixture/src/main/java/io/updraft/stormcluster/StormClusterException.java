package io.updraft.stormcluster;

/**
 * A cluster that does not do what it should. The message begins with one line that says so; the logs follow, and then the line
 * once more, for whoever sees but the end of it.
 */
public final class StormClusterException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String summary;

    StormClusterException(String summary, String logs) {
        this(summary, logs, null);
    }

    StormClusterException(String summary, String logs, Throwable cause) {
        super(summary + "\n" + logs + "\n--- what failed: " + summary, cause);
        this.summary = summary;
    }

    /** {@return what has happened, on one line} */
    public String summary() {
        return summary;
    }
}
