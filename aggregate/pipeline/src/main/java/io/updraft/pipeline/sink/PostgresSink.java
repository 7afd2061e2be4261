package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.postgresql.PGConnection;

/**
 * Writes results to a table of PostgreSQL. Rows are copied into a temporary table and merged from there into the target by
 * {@code INSERT ... ON CONFLICT DO UPDATE}. The key is the window and the dimensions, so a window that is written again
 * replaces its rows. All writes between two flushes, and the positions of the source, are one transaction.
 *
 * <p>If the connection is lost in between, all writes since the last flush are lost with it. Then {@link #write} does nothing
 * more, and {@link #flush} fails, so that the caller writes all of them again.
 *
 * <p>If PostgreSQL refuses a value, the transaction is rolled back, and {@link #flush} finds the refused rows.
 */
final class PostgresSink implements ResultSink {

    /** Milliseconds for each row to merge, in addition to the timeout. A slow disk needs some hundredths of this. */
    private static final long MILLIS_PER_ROW = 1;
    /**
     * Classes and codes of SQLSTATE for passing failures: connections, transactions that lost against others, resources (such
     * as a full disk), start and stop of the server, locks, input and output. All others are lasting.
     */
    private static final List<String> PASSING = List.of("08", "40", "53", "57P", "55P03", "58", "25006");

    private final PostgresSinkOptions options;
    private final PostgresTable table;
    private final Set<Written> staged = new HashSet<>();
    /** Names this run in the rows of positions. */
    private final String owner = UUID.randomUUID().toString();
    /** The runs that wrote the positions that this process has read; kept over reconnects. */
    private final Set<String> owners = new HashSet<>();

    private long stagedRows;
    /** The results since the last flush. */
    private final List<WindowResult> results = new ArrayList<>();
    /** The first refusal since the last flush; null if nothing was refused. */
    private SQLException refusal;

    private PostgresCopyText rows;
    private Connection connection;
    private PostgresPositions positions;
    private boolean columnsChecked;
    private SinkException connectionFailure;

    /** A window and share in the temporary table: a merge must not contain a key twice. */
    private record Written(TimeWindow window, String share) {}

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
        owners.clear();
        readCommits();
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
                positions = new PostgresPositions(connection, options.pipeline(), owner);
                positions.prepare();
            }
            connection.commit();
            clear();
        } catch (SQLException | SinkException e) {
            throw failed("cannot use " + where(), e);
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
            throw SinkException.lasting("table " + options.table() + " of " + PasswordMask.hide(options.url())
                    + " does not fit the results: " + String.join("; ", mistakes));
        }
        columnsChecked = true;
    }

    @Override
    public String where() {
        return "table " + options.table() + " of PostgreSQL at " + PasswordMask.hide(options.url());
    }

    @Override
    public Map<String, PartitionPosition> readCommits() throws SinkException {
        if (options.pipeline() == null) {
            return null;
        }
        try {
            ready();
            owners.clear();
            Map<String, PartitionPosition> commits = positions.read(owners);
            connection.commit();
            return commits;
        } catch (SQLException | SinkException e) {
            throw failed(
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
    public void write(WindowResult result, String share) throws SinkException {
        if (connectionFailure != null) {
            return;
        }
        boolean empty = results.isEmpty();
        try {
            ready();
            if (refusal == null) {
                stage(result, share);
            }
        } catch (SQLException | IOException e) {
            if (!PostgresRefusals.isRefusal(e)) {
                SinkException failure = failed("cannot write to " + where(), e);
                // The caller tries this result again. If earlier ones are lost too, the next flush fails.
                if (empty || !failure.isTransient()) {
                    throw failure;
                }
                connectionFailure = failure;
                return;
            }
            refusal = (SQLException) e;
        }
        results.add(result);
    }

    private void stage(WindowResult result, String share) throws SQLException, IOException {
        if (!staged.add(new Written(result.window(), share))) {
            merge();
            staged.add(new Written(result.window(), share));
        }
        stagedRows += result.size();
        rows.copy(result, connection.unwrap(PGConnection.class).getCopyAPI(), table.copy());
    }

    private void merge() throws SQLException {
        long timeout = options.timeout().toMillis() + stagedRows * MILLIS_PER_ROW;
        connection.setNetworkTimeout(Runnable::run, (int) Math.min(timeout, Integer.MAX_VALUE));
        table.mergeStage(connection);
        staged.clear();
        stagedRows = 0;
    }

    @Override
    public boolean flush(List<PartitionPosition> commits) throws SinkException {
        if (connectionFailure != null) {
            SinkException failure = connectionFailure;
            connectionFailure = null;
            throw failure;
        }
        try {
            ready();
            commit(commits);
            clear();
            return false;
        } catch (SQLException | IOException | SinkException e) {
            throw failed("cannot write to " + where(), e);
        }
    }

    private void commit(List<PartitionPosition> commits) throws SQLException, IOException, SinkException {
        try {
            if (refusal != null) {
                throw refusal;
            }
            if (!staged.isEmpty()) {
                merge();
            }
            if (positions != null && !commits.isEmpty()) {
                positions.write(commits, owners);
            }
            connection.commit();
        } catch (SQLException e) {
            if (PostgresRefusals.isRefusal(e)) {
                throwRefused(e);
            }
            throw e;
        }
    }

    /** Throws the refused rows, after a rollback. Returns if there are none: then the cause is not in the rows. */
    private void throwRefused(SQLException first) throws SQLException, IOException, SinkException {
        connection.rollback();
        List<RefusedRow> refused = new PostgresRefusals(connection, table, rows).find(results);
        connection.rollback();
        clear();
        if (!refused.isEmpty()) {
            throw SinkException.refused(refused, where(), first);
        }
    }

    private void clear() {
        results.clear();
        refusal = null;
        staged.clear();
        stagedRows = 0;
    }

    /** Disconnects, and returns the exception that the sink throws. */
    private SinkException failed(String action, Exception cause) {
        if (cause instanceof SinkException known) {
            if (known.refusedRows().isEmpty()) {
                disconnect();
            }
            return known;
        }
        disconnect();
        String state = cause instanceof SQLException error ? error.getSQLState() : null;
        boolean passing = state == null || PASSING.stream().anyMatch(state::startsWith);
        // Without the prefix of the driver.
        String reason = SinkException.oneLine(cause).replaceFirst("^(ERROR|FATAL|PANIC): ", "");
        return SinkException.of(passing, action, reason, cause);
    }

    private void disconnect() {
        clear();
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
