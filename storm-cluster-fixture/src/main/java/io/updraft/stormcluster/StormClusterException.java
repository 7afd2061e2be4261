package io.updraft.stormcluster;

/** A cluster that does not do what it should. The message begins with one line that says so; the logs follow. */
public final class StormClusterException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String summary;

    StormClusterException(String summary, String logs) {
        this(summary, logs, null);
    }

    StormClusterException(String summary, String logs, Throwable cause) {
        super(summary + "\n" + logs, cause);
        this.summary = summary;
    }

    /** {@return what has happened, on one line} */
    public String summary() {
        return summary;
    }
}
