package io.updraft.pipeline.sink;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Opens connections to PostgreSQL. */
final class PostgresConnection {

    private PostgresConnection() {}

    static Connection connect(PostgresSinkOptions options) throws SQLException {
        Properties properties = new Properties();
        if (options.user() != null) {
            PGProperty.USER.set(properties, options.user());
        }
        if (options.password() != null) {
            PGProperty.PASSWORD.set(properties, options.password());
        }
        int seconds = (int) Math.max(1, options.timeout().toSeconds());
        PGProperty.CONNECT_TIMEOUT.set(properties, seconds);
        PGProperty.LOGIN_TIMEOUT.set(properties, seconds);
        PGProperty.SOCKET_TIMEOUT.set(properties, seconds);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, "updraft");
        Connection connection = new Driver().connect(options.url(), properties);
        if (connection == null) {
            throw new SQLException("the URL is not one of PostgreSQL", "08001");
        }
        return connection;
    }
}
