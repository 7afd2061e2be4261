package io.updraft.pipeline.sink.postgres;

import io.updraft.pipeline.connector.CommittingSink;
import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Writes results to a table of PostgreSQL. Rows are copied into a temporary table and merged from there into the target by
 * {@code INSERT ... ON CONFLICT DO UPDATE}. The key is the window and the dimensions, so a window that is written again
 * replaces its rows. All writes between two flushes, and the positions of the source, are one transaction.
 *
 * <p>If the connection is lost in between, all writes since the last flush are lost with it. Then {@link #write} does nothing
 * more, and {@link #flush} fails, so that the caller writes all of them again.
 */
final class PostgresSink implements CommittingSink {

    /**
     * Milliseconds that the server gets for each row to merge, in addition to the timeout. A slow disk needs some hundredths of
     * this.
     */
    private static final long MILLIS_PER_ROW = 1;

    private final PostgresSinkOptions options;
    private final PostgresTable table;
    private final Set<Written> staged = new HashSet<>();
    /** The positions as this process last knew them; kept over reconnects. */
    private final Map<String, UnitPosition> seen = new HashMap<>();

    private long stagedRows;

    private PostgresCopyText rows;
    private Connection connection;
    private PostgresPositions positions;
    private boolean columnsChecked;
    private SinkException connectionFailure;

    /** A window and unit in the temporary table: a merge must not contain a key twice. */
    private record Written(TimeWindow window, String unit) {}

    PostgresSink(PostgresSinkOptions options) {
        this.options = options;
        this.table = new PostgresTable(options.table());
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        table.results(columns, dimensions);
        rows = new PostgresCopyText(columns);
        columnsChecked = false;
        connectionFailure = null;
        connect();
        seen.clear();
        seen.putAll(readCommits());
    }

    /** Connects; the first time, checks the table or creates it. */
    private void connect() throws SinkException {
        try {
            connection = options.connect();
            connection.setAutoCommit(false);
            if (!columnsChecked) {
                prepareTable();
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(table.createStage());
            }
            if (options.pipeline() != null) {
                positions = new PostgresPositions(connection, options.pipeline());
                positions.prepare();
            }
            connection.commit();
            staged.clear();
            stagedRows = 0;
        } catch (SQLException e) {
            disconnect();
            throw PostgresFailure.of("cannot use " + where(), e);
        } catch (SinkException e) {
            disconnect();
            throw e;
        }
    }

    private void prepareTable() throws SQLException, SinkException {
        if (options.create()) {
            try (Statement statement = connection.createStatement()) {
                table.create(connection, statement);
            }
        }
        List<String> mistakes = table.mistakes(connection);
        if (!mistakes.isEmpty()) {
            throw SinkException.lasting(
                    "table " + options.table() + " of " + PasswordMask.hide(options.url())
                            + " does not fit the results: " + String.join("; ", mistakes),
                    null);
        }
        columnsChecked = true;
    }

    @Override
    public String where() {
        return "table " + options.table() + " of PostgreSQL at " + PasswordMask.hide(options.url());
    }

    @Override
    public boolean keepsCommits() {
        return options.pipeline() != null;
    }

    @Override
    public Map<String, UnitPosition> readCommits() throws SinkException {
        if (options.pipeline() == null) {
            return Map.of();
        }
        try {
            ready();
            Map<String, UnitPosition> commits = positions.read();
            connection.commit();
            seen.putAll(commits);
            return commits;
        } catch (SQLException e) {
            disconnect();
            throw PostgresFailure.of(
                    "cannot read positions from updraft_positions of PostgreSQL at " + PasswordMask.hide(options.url()),
                    e);
        }
    }

    private void ready() throws SinkException {
        if (connection == null) {
            connect();
        }
    }

    @Override
    public void write(WindowResult result, String unit) throws SinkException {
        if (connectionFailure != null) {
            return;
        }
        boolean empty = staged.isEmpty();
        try {
            ready();
            if (!staged.add(new Written(result.window(), unit))) {
                merge();
                staged.add(new Written(result.window(), unit));
            }
            stagedRows += result.size();
            rows.copy(result, connection.unwrap(PGConnection.class).getCopyAPI(), table.copy());
        } catch (SQLException | IOException e) {
            SinkException failure = PostgresFailure.of("cannot write to " + where(), e);
            disconnect();
            fail(failure, empty);
        }
    }

    /** Reports a failed write: the caller tries this result again. If earlier ones are lost too, the next flush fails. */
    private void fail(SinkException failure, boolean nothingElse) throws SinkException {
        if (nothingElse || !failure.isTransient()) {
            throw failure;
        }
        connectionFailure = failure;
    }

    private void merge() throws SQLException {
        long timeout = options.timeout().toMillis() + stagedRows * MILLIS_PER_ROW;
        connection.setNetworkTimeout(Runnable::run, (int) Math.min(timeout, Integer.MAX_VALUE));
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(table.merge());
            statement.execute(table.emptyStage());
        }
        staged.clear();
        stagedRows = 0;
    }

    @Override
    public boolean flush(List<UnitPosition> commits) throws SinkException {
        if (connectionFailure != null) {
            SinkException failure = connectionFailure;
            connectionFailure = null;
            throw failure;
        }
        try {
            ready();
            if (!staged.isEmpty()) {
                merge();
            }
            if (positions != null && !commits.isEmpty()) {
                positions.write(commits, seen);
            }
            connection.commit();
            commits.forEach(commit -> seen.put(commit.unit(), commit));
            return false;
        } catch (SQLException e) {
            disconnect();
            throw PostgresFailure.of("cannot write to " + where(), e);
        } catch (SinkException e) {
            disconnect();
            throw e;
        }
    }

    private void disconnect() {
        staged.clear();
        positions = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // The connection is dropped either way; without a commit none of its writes last.
            }
            connection = null;
        }
    }

    @Override
    public void close() {
        disconnect();
    }
}
