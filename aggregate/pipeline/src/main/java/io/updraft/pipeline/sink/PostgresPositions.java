package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.SinkException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Positions of sources, in the table {@code updraft_positions} of the first schema on the search path. Each row names the run
 * that wrote it. A run may write while all rows of its pipeline are those it has read, or its own. Otherwise another process
 * has continued in its place, such as one on another host with the same description.
 *
 * @param owner names the run
 */
record PostgresPositions(Connection connection, String pipeline, String owner) {

    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS updraft_positions (
                pipeline text NOT NULL,
                unit text NOT NULL,
                position bigint NOT NULL,
                closed_until bigint NOT NULL,
                seen text NOT NULL DEFAULT '',
                fingerprint text NOT NULL DEFAULT '',
                owner text NOT NULL DEFAULT '',
                PRIMARY KEY (pipeline, unit))""";
    /** Tables of older versions lack these columns. */
    private static final String ADD_COLUMNS = """
            ALTER TABLE updraft_positions
            ADD COLUMN IF NOT EXISTS seen text NOT NULL DEFAULT '',
            ADD COLUMN IF NOT EXISTS fingerprint text NOT NULL DEFAULT '',
            ADD COLUMN IF NOT EXISTS owner text NOT NULL DEFAULT ''""";

    private static final String EXISTS = """
            SELECT EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = to_regclass('updraft_positions') AND attname = 'owner' AND NOT attisdropped)""";

    private static final String READ = """
            SELECT unit, position, closed_until, seen, fingerprint, owner FROM updraft_positions WHERE pipeline = ?""";
    /** Two runs that both find no row of the other would both write. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtext('updraft_positions ' || ?))";

    private static final String IS_OVERTAKEN =
            "SELECT EXISTS (SELECT FROM updraft_positions WHERE pipeline = ? AND owner <> ALL (?))";
    private static final String WRITE = """
            INSERT INTO updraft_positions AS old (pipeline, unit, position, closed_until, seen, fingerprint, owner)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (pipeline, unit) DO UPDATE
            SET position = excluded.position, closed_until = excluded.closed_until, seen = excluded.seen,
                fingerprint = excluded.fingerprint, owner = excluded.owner""";

    void prepare() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!exists(statement)) {
                // Two processes that create the table at the same time would fail in spite of IF NOT EXISTS.
                statement.execute("SELECT pg_advisory_xact_lock(hashtext('updraft_positions'))");
                statement.execute(CREATE);
                statement.execute(ADD_COLUMNS);
            }
        }
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery(EXISTS)) {
            return isTrue(found);
        }
    }

    private static boolean isTrue(ResultSet answer) throws SQLException {
        return answer.next() && answer.getBoolean(1);
    }

    /** Reads the positions by partition, and adds the runs that wrote them to {@code owners}. */
    Map<String, PartitionPosition> read(Set<String> owners) throws SQLException, SinkException {
        Map<String, PartitionPosition> commits = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, pipeline);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    commits.put(row.getString(1), position(row));
                    owners.add(row.getString(6));
                }
            }
        }
        return commits;
    }

    private PartitionPosition position(ResultSet row) throws SQLException, SinkException {
        String partition = row.getString(1);
        try {
            ProcessedRanges seen = ProcessedRanges.parse(row.getString(4));
            return new PartitionPosition(partition, row.getLong(2), row.getLong(3), seen, null, row.getString(5));
        } catch (IllegalArgumentException e) {
            throw SinkException.lasting(
                    "the row of updraft_positions for pipeline " + pipeline + " and partition " + partition
                            + " is damaged: 'seen' is " + row.getString(4)
                            + "; delete the row to read the partition from its start",
                    e);
        }
    }

    /**
     * Writes positions in a transaction that the caller commits.
     *
     * @param owners the runs that wrote the rows that this process has read
     */
    void write(List<PartitionPosition> commits, Set<String> owners) throws SQLException, SinkException {
        checkOwner(owners);
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            for (PartitionPosition commit : commits) {
                statement.setString(1, pipeline);
                statement.setString(2, commit.partition());
                statement.setLong(3, commit.position());
                statement.setLong(4, commit.closedUntil());
                statement.setString(5, commit.processed().text());
                statement.setString(6, commit.fingerprint());
                statement.setString(7, owner);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void checkOwner(Set<String> owners) throws SQLException, SinkException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            lock.setString(1, pipeline);
            lock.execute();
        }
        Set<String> writers = new HashSet<>(owners);
        writers.add(owner);
        try (PreparedStatement statement = connection.prepareStatement(IS_OVERTAKEN)) {
            statement.setString(1, pipeline);
            statement.setArray(2, connection.createArrayOf("text", writers.toArray()));
            try (ResultSet answer = statement.executeQuery()) {
                if (isTrue(answer)) {
                    throw SinkException.lasting("another process has written positions of pipeline " + pipeline
                            + " to updraft_positions since this run began, so this process must end; a pipeline on"
                            + " another host needs another 'name' or database");
                }
            }
        }
    }
}
