package io.updraft.pipeline.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Results in a table of PostgreSQL, with the positions of the source in the same transaction.
 *
 * @param url {@code jdbc:postgresql://host[:port]/database[?option=value...]}
 * @param user who connects; null if the address says so, or for the system's user
 * @param password of that user; null if none is asked for or the address has it
 * @param table its name, {@code schema.table} where it is not on the search path; as it is, without quotes
 * @param create whether the table is created if it is missing
 * @param pipeline under which name positions are kept in {@code updraft_positions}, so that several pipelines can write into one
 *     database; null to keep none there, so that a crash may write results again over those that are there
 * @param timeout for connecting, and for an answer; for many rows the server gets more, a millisecond each
 */
public record PostgresSinkOptions(
        String url, String user, String password, String table, boolean create, String pipeline, Duration timeout)
        implements SinkOptions {

    /**
     * PostgreSQL.
     *
     * @throws IllegalArgumentException when the address is none of PostgreSQL, there is no table, or the timeout is not positive
     */
    public PostgresSinkOptions {
        Objects.requireNonNull(table, "table");
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("url " + Secrets.hide(url)
                    + ": an address of PostgreSQL looks like jdbc:postgresql://host[:port]/database");
        }
        if (table.isBlank() || timeout.toMillis() < 1) {
            throw new IllegalArgumentException("a table needs a name, and a timeout is at least a millisecond");
        }
    }

    @Override
    public Sink sink() {
        return new PostgresSink(this);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "PostgresSinkOptions[url=" + Secrets.hide(url) + ", user=" + user + ", table=" + table + ", create="
                + create + ", pipeline=" + pipeline + ", timeout=" + timeout + "]";
    }
}
