package io.updraft.pipeline.sink.postgres;

import io.updraft.pipeline.connector.SinkException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Makes exceptions for failures of PostgreSQL, and decides whether trying again may help. */
final class PostgresFailure {

    /**
     * Classes and codes of SQLSTATE for passing failures: connections, transactions that lost against others, resources (such
     * as a full disk), start and stop of the server, locks, input and output. All others are lasting.
     */
    private static final List<String> PASSING = List.of("08", "40", "53", "57P", "55P03", "58", "25006");

    private PostgresFailure() {}

    static SinkException of(String what, Exception cause) {
        String message = what + ": " + reason(cause);
        return passes(cause) ? SinkException.passing(message, cause) : SinkException.lasting(message, cause);
    }

    private static boolean passes(Exception cause) {
        if (cause instanceof IOException) {
            return true;
        }
        String state = ((SQLException) cause).getSQLState();
        return state == null || PASSING.stream().anyMatch(state::startsWith);
    }

    /** Returns the server's message in one line, without the driver's prefix such as "ERROR:". */
    private static String reason(Exception cause) {
        return SinkException.oneLine(cause).replaceFirst("^(ERROR|FATAL|PANIC): ", "");
    }
}
