package io.updraft.pipeline.sink;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.pipeline.connector.FlightResults;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** A PostgreSQL of the tests of one class. */
abstract class PostgresFixture {

    @AutoClose
    static PostgresServer postgres;

    @BeforeAll
    static void startPostgres() {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.missing());
        postgres = PostgresServer.start();
    }

    static PostgresSink opened(PostgresSinkOptions options) throws SinkException {
        PostgresSink sink = new PostgresSink(options);
        sink.open(FlightResults.COLUMNS, FlightResults.DIMENSIONS);
        return sink;
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD);
    }

    static void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    static List<String> rows(String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(row.getString(i));
                }
                rows.add(String.join("|", values));
            }
        }
        return rows;
    }
}
