package io.updraft.pipeline.sink.postgres;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.connector.UnitPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Positions of sources, in the table {@code updraft_positions} of the first schema on the search path. Only a process that has
 * read the current position may set an earlier one, at the start of a run that starts over. Any other process that tries was
 * taken for dead, and another process has continued in its place.
 */
record PostgresPositions(Connection connection, String pipeline) {

    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS updraft_positions (
                pipeline text NOT NULL,
                unit text NOT NULL,
                position bigint NOT NULL,
                closed_until bigint NOT NULL,
                seen text NOT NULL DEFAULT '',
                PRIMARY KEY (pipeline, unit))""";
    /** Tables of older versions lack this column. */
    private static final String ADD_SEEN =
            "ALTER TABLE updraft_positions ADD COLUMN IF NOT EXISTS seen text NOT NULL DEFAULT ''";

    private static final String EXISTS = """
            SELECT EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = to_regclass('updraft_positions') AND attname = 'seen' AND NOT attisdropped)""";

    private static final String READ =
            "SELECT unit, position, closed_until, seen FROM updraft_positions WHERE pipeline = ?";
    private static final String WRITE = """
            INSERT INTO updraft_positions AS old (pipeline, unit, position, closed_until, seen) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (pipeline, unit) DO UPDATE
            SET position = excluded.position, closed_until = excluded.closed_until, seen = excluded.seen
            WHERE old.position <= excluded.position OR old.position = ?""";

    void prepare() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!exists(statement)) {
                // Two processes that create the table at the same time would fail in spite of IF NOT EXISTS.
                statement.execute("SELECT pg_advisory_xact_lock(hashtext('updraft_positions'))");
                statement.execute(CREATE);
                statement.execute(ADD_SEEN);
            }
        }
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery(EXISTS)) {
            return found.next() && found.getBoolean(1);
        }
    }

    Map<String, UnitPosition> read() throws SQLException {
        Map<String, UnitPosition> commits = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, pipeline);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String unit = row.getString(1);
                    commits.put(
                            unit,
                            new UnitPosition(
                                    unit, row.getLong(2), row.getLong(3), ProcessedRanges.parse(row.getString(4))));
                }
            }
        }
        return commits;
    }

    /**
     * Writes positions in a transaction that the caller commits.
     *
     * @param seen the position of each unit as this process knows it
     */
    void write(List<UnitPosition> commits, Map<String, UnitPosition> seen) throws SQLException, SinkException {
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            for (UnitPosition commit : commits) {
                statement.setString(1, pipeline);
                statement.setString(2, commit.unit());
                statement.setLong(3, commit.position());
                statement.setLong(4, commit.closedUntil());
                statement.setString(5, commit.processed().text());
                statement.setLong(6, seen.getOrDefault(commit.unit(), commit).position());
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 0) {
                    throw overtaken(commits.get(i));
                }
            }
        }
    }

    private SinkException overtaken(UnitPosition commit) {
        return SinkException.lasting(
                "pipeline " + pipeline + ": updraft_positions has unit " + commit.unit() + " beyond"
                        + " position " + commit.position()
                        + "; another process has continued it, so this process must end");
    }
}
