package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.WindowResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Finds the rows that PostgreSQL refuses, in a transaction that the caller rolls back. Blocks of rows are merged, each after a
 * savepoint; a block that fails is halved until it is one row. A row that was merged stays, so of two rows that exclude each
 * other the later one is refused.
 */
final class PostgresRefusals {

    private static final int BLOCK = RefusedRow.MANY;
    /**
     * Classes and codes of SQLSTATE for a value that does not fit: its form or range, constraints, the exception of a trigger,
     * the condition of a view, the size of an index entry.
     */
    private static final List<String> REFUSALS = List.of("22", "23", "P0001", "44", "54000");

    private static final Pattern COPIED_COLUMN = Pattern.compile(", line \\d+, column ([^:]+)");

    private final Connection connection;
    private final PostgresTable table;
    private final PostgresCopyText text;
    private final List<RefusedRow> refused = new ArrayList<>();
    private final List<byte[]> block = new ArrayList<>();
    private int result;
    private long before;
    private long merged;

    PostgresRefusals(Connection connection, PostgresTable table, PostgresCopyText text) {
        this.connection = connection;
        this.table = table;
        this.text = text;
    }

    static boolean isRefusal(Exception e) {
        String state = e instanceof SQLException error ? error.getSQLState() : null;
        return state != null && REFUSALS.stream().anyMatch(state::startsWith);
    }

    /** Ends a search; its cause is thrown. */
    private static final class SearchFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        SearchFailure(SQLException cause) {
            super(cause);
        }
    }

    /** Returns the refused rows. Stops early if none of the first {@value RefusedRow#MANY} rows is taken. */
    List<RefusedRow> find(List<WindowResult> results) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
        }
        try {
            for (WindowResult each : results) {
                before = 0;
                each.forEach(row -> add(text.line(each.window(), row)));
                tryBlock();
                result++;
            }
        } catch (SearchFailure e) {
            throw (SQLException) e.getCause();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return refused;
    }

    private void add(byte[] line) {
        block.add(line);
        if (block.size() == BLOCK) {
            tryBlock();
        }
    }

    private void tryBlock() {
        try {
            if (!block.isEmpty() && (merged > 0 || refused.size() < BLOCK)) {
                search(0, block.size());
            }
        } catch (SQLException e) {
            throw new SearchFailure(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        before += block.size();
        block.clear();
    }

    private void search(int from, int to) throws SQLException, IOException {
        SQLException refusal = merge(block.subList(from, to));
        if (refusal == null) {
            merged += to - from;
        } else if (to - from == 1) {
            refused.add(new RefusedRow(result, before + from, reason(refusal, block.get(from))));
        } else {
            int middle = (from + to) >>> 1;
            search(from, middle);
            search(middle, to);
        }
    }

    /** Merges rows. Returns the refusal, after which nothing of them is merged; null if there is none. */
    private SQLException merge(List<byte[]> lines) throws SQLException, IOException {
        Savepoint savepoint = connection.setSavepoint();
        try {
            PostgresCopyText.copy(connection.unwrap(PGConnection.class).getCopyAPI(), table.copy(), out -> {
                for (byte[] line : lines) {
                    out.write(line);
                }
            });
            table.mergeStage(connection);
            connection.releaseSavepoint(savepoint);
            return null;
        } catch (SQLException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            connection.rollback(savepoint);
            return e;
        }
    }

    private String reason(SQLException refusal, byte[] line) {
        int columns = 0;
        for (byte each : line) {
            if (each == 0) {
                return table.column(columns) + ": text of PostgreSQL cannot contain the character NUL";
            }
            columns += each == '\t' ? 1 : 0;
        }
        ServerErrorMessage server = refusal instanceof PSQLException e ? e.getServerErrorMessage() : null;
        if (server == null) {
            return SinkException.oneLine(refusal);
        }
        String column = column(server);
        String detail = server.getDetail() == null ? "" : "; " + server.getDetail();
        return ((column == null ? "" : column + ": ") + server.getMessage() + detail).replaceAll("\\s*\\R\\s*", "; ");
    }

    private static String column(ServerErrorMessage server) {
        Matcher copied = COPIED_COLUMN.matcher(String.valueOf(server.getWhere()));
        return server.getColumn() != null || !copied.find() ? server.getColumn() : copied.group(1);
    }
}
