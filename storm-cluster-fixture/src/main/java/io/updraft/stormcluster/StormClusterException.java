package io.updraft.stormcluster;

/**
 * Thrown when a cluster does not behave as expected. The message begins with a one-line summary. The logs follow, and then the
 * summary again, for readers who see only the end.
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

    /** {@return the summary, on one line} */
    public String summary() {
        return summary;
    }
}
