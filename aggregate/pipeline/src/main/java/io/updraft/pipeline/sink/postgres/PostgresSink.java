package io.updraft.pipeline.sink.postgres;

import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.SchemaField;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.PGCopyOutputStream;

/**
 * Writes results to a table of PostgreSQL. Rows are copied into a temporary table and merged from there into the target by
 * {@code INSERT ... ON CONFLICT DO UPDATE}. The key is the window and the dimensions, so a window that is written again
 * replaces its rows. All writes between two flushes, and the positions of the source, are one transaction.
 *
 * <p>If the connection is lost in between, all writes since the last flush are lost with it. Then {@link #write} does nothing
 * more, and {@link #flush} fails, so that the caller writes all of them again.
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
            staged.clear();
            stagedRows = 0;
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
    public Map<String, UnitPosition> readCommits() throws SinkException {
        if (options.pipeline() == null) {
            return null;
        }
        try {
            ready();
            owners.clear();
            Map<String, UnitPosition> commits = positions.read(owners);
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
            SinkException failure = failed("cannot write to " + where(), e);
            // The caller tries this result again. If earlier ones are lost too, the next flush fails.
            if (empty || !failure.isTransient()) {
                throw failure;
            }
            connectionFailure = failure;
        }
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
                positions.write(commits, owners);
            }
            connection.commit();
            return false;
        } catch (SQLException | SinkException e) {
            throw failed("cannot write to " + where(), e);
        }
    }

    /** Disconnects, and returns the exception that the sink throws. */
    private SinkException failed(String what, Exception cause) {
        disconnect();
        if (cause instanceof SinkException known) {
            return known;
        }
        String state = cause instanceof SQLException error ? error.getSQLState() : null;
        boolean passing = state == null || PASSING.stream().anyMatch(state::startsWith);
        // Without the prefix of the driver.
        String reason = SinkException.oneLine(cause).replaceFirst("^(ERROR|FATAL|PANIC): ", "");
        return SinkException.of(passing, what, reason, cause);
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

    /** Writes rows in the text format of PostgreSQL's COPY. */
    private static final class PostgresCopyText implements RowText {

        /** PostgreSQL's text cannot contain the character NUL; its symbol U+2400 replaces it. */
        private static final byte[] NUL = "\u2400".getBytes(StandardCharsets.UTF_8);

        private final SchemaField[] fields;
        private final ValueText values = new ValueText("t", "f");
        private final Utf8Buffer buffer = new Utf8Buffer();

        PostgresCopyText(Schema columns) {
            fields = columns.fields().toArray(SchemaField[]::new);
        }

        void copy(WindowResult result, CopyManager manager, String command) throws SQLException, IOException {
            buffer.clear();
            CopyIn copy = manager.copyIn(command);
            try {
                OutputStream out = new PGCopyOutputStream(copy);
                rows(result, buffer, out);
                out.flush();
                copy.endCopy();
            } catch (IOException e) {
                if (e.getCause() instanceof SQLException cause) {
                    throw cause;
                }
                throw e;
            } finally {
                if (copy.isActive()) {
                    copy.cancelCopy();
                }
            }
        }

        @Override
        public void row(TimeWindow window, RecordRow row, Utf8Buffer out) {
            out.add(values.time(window.start())).add('\t').add(values.time(window.end()));
            out.add('\t');
            columns(row, 0, fields.length, out);
            out.add('\n');
        }

        @Override
        public void columns(RecordRow row, int from, int to, Utf8Buffer out) {
            for (int slot = from; slot < to; slot++) {
                value(row, slot, slot > from ? out.add('\t') : out);
            }
        }

        private void value(RecordRow row, int slot, Utf8Buffer out) {
            if (ValueText.isText(row, slot)) {
                byte[] text = ValueText.text(row, slot);
                text(text, ValueText.textFrom(row, slot), ValueText.textLength(row, slot, text), out);
            } else if (row.has(slot)) {
                out.add(values.of(row, slot, fields[slot].type()));
            } else {
                out.add("\\N");
            }
        }

        private static void text(byte[] text, int from, int length, Utf8Buffer out) {
            for (int i = from; i < from + length; i++) {
                switch (text[i]) {
                    case '\\' -> out.add("\\\\");
                    case '\t' -> out.add("\\t");
                    case '\n' -> out.add("\\n");
                    case '\r' -> out.add("\\r");
                    case 0 -> out.add(NUL, 0, NUL.length);
                    default -> out.add(text[i]);
                }
            }
        }
    }
}
