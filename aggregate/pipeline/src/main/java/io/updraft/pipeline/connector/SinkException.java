package io.updraft.pipeline.connector;

import io.updraft.kafka.reader.NativeLibraries;
import java.util.List;
import java.util.Set;

/** Thrown when a sink cannot write. The message is one line that names the cause and the place. */
public final class SinkException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean transientFailure;
    private final transient Set<RecordSource.Ownership> lostOwnerships;
    private final transient List<RefusedRow> refusedRows;

    private SinkException(
            String message,
            Throwable cause,
            boolean transientFailure,
            Set<RecordSource.Ownership> lost,
            List<RefusedRow> refused) {
        super(message, cause);
        this.transientFailure = transientFailure;
        this.lostOwnerships = lost;
        this.refusedRows = refused;
    }

    /** Creates an exception for a passing failure, such as an unavailable or overloaded server: trying again may help. */
    public static SinkException passing(String message, Throwable cause) {
        return new SinkException(message, cause, true, Set.of(), List.of());
    }

    /** Creates an exception for a lasting failure, such as a missing column, a wrong password or a fenced process. */
    public static SinkException lasting(String message, Throwable cause) {
        return new SinkException(message, cause, false, Set.of(), List.of());
    }

    /** Creates an exception for a lasting failure that no other exception has caused. */
    public static SinkException lasting(String message) {
        return lasting(message, null);
    }

    /** Creates an exception for a passing or a lasting failure, whose cause follows in one line. */
    public static SinkException of(boolean passing, String action, Throwable cause) {
        return of(passing, action, oneLine(cause), cause);
    }

    public static SinkException of(boolean passing, String action, String reason, Throwable cause) {
        return new SinkException(action + ": " + reason, cause, passing, Set.of(), List.of());
    }

    public static String oneLine(Throwable cause) {
        return NativeLibraries.reasonIn(cause)
                .orElseGet(() -> String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; "));
    }

    /** Creates an exception for lost ownerships: nothing was written. Results without these ownerships can be written. */
    public static SinkException lostOwnerships(
            Set<RecordSource.Ownership> ownerships, String message, Throwable cause) {
        return new SinkException(message, cause, false, Set.copyOf(ownerships), List.of());
    }

    /**
     * Creates an exception for rows that the sink can never take. Nothing since the last flush is durable; the results can be
     * written without these rows.
     *
     * @param rows at least one row
     */
    public static SinkException refused(List<RefusedRow> rows, String where, Throwable cause) {
        String message = where + " refuses a group: " + rows.get(0).reason();
        return new SinkException(message, cause, false, Set.of(), List.copyOf(rows));
    }

    /** Returns the rows that the sink can never take; empty for any other failure. */
    public List<RefusedRow> refusedRows() {
        return refusedRows == null ? List.of() : refusedRows;
    }

    /** Returns the ownerships that were lost; empty for any other failure. */
    public Set<RecordSource.Ownership> lostOwnerships() {
        return lostOwnerships == null ? Set.of() : lostOwnerships;
    }

    /** Returns whether trying again may help. */
    public boolean isTransient() {
        return transientFailure;
    }
}
