package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Results in a table of PostgreSQL, with the positions of the source in the same transaction.
 *
 * @param url {@code jdbc:postgresql://host[:port]/database[?option=value...]}
 * @param user the user; null if the URL contains it, or for the user of the operating system
 * @param password the password of this user; null if none is required or the URL contains it
 * @param table the name of the table, {@code schema.table} if it is not on the search path; used as it is, without quotes
 * @param create whether to create the table if it is missing
 * @param pipeline the name under which positions are stored in {@code updraft_positions}, so that several pipelines can write
 *     to one database; null to store none there: then a crash may write results again over the existing ones
 * @param timeout the limit for connecting and for an answer; a merge gets one millisecond more for each row
 */
public record PostgresSinkOptions(
        String url, String user, String password, String table, boolean create, String pipeline, Duration timeout)
        implements SinkOptions {

    /**
     * Checks the values. Throws an {@link IllegalArgumentException} when the URL is not one of PostgreSQL, the table is blank,
     * or the timeout is not positive.
     */
    public PostgresSinkOptions {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("url " + PasswordMask.hide(url)
                    + ": a URL of PostgreSQL has the form jdbc:postgresql://host[:port]/database");
        }
        if (table.isBlank() || timeout.toMillis() < 1) {
            throw new IllegalArgumentException("'table' needs a name, and 'timeout' must be at least 1ms");
        }
    }

    @Override
    public boolean keepsPositions() {
        return pipeline != null;
    }

    @Override
    public ResultSink sink() {
        return new PostgresSink(this);
    }

    Connection connect() throws SQLException {
        Properties properties = new Properties();
        if (user() != null) {
            PGProperty.USER.set(properties, user());
        }
        if (password() != null) {
            PGProperty.PASSWORD.set(properties, password());
        }
        int seconds = (int) Math.max(1, timeout().toSeconds());
        PGProperty.CONNECT_TIMEOUT.set(properties, seconds);
        PGProperty.LOGIN_TIMEOUT.set(properties, seconds);
        PGProperty.SOCKET_TIMEOUT.set(properties, seconds);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, "updraft");
        Connection connection = new Driver().connect(url(), properties);
        if (connection == null) {
            throw new SQLException("the URL is not one of PostgreSQL", "08001");
        }
        return connection;
    }

    /** Returns a text without the password. */
    @Override
    public String toString() {
        return "PostgresSinkOptions[url=" + PasswordMask.hide(url) + ", user=" + user + ", table=" + table + ", create="
                + create + ", pipeline=" + pipeline + ", timeout=" + timeout + "]";
    }
}
