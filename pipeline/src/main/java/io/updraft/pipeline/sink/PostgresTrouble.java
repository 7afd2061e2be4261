package io.updraft.pipeline.sink;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Says what went wrong with PostgreSQL, and whether trying again may help. */
final class PostgresTrouble {

    /**
     * Classes and codes of SQLSTATE that pass: connections, transactions that lost against others, resources (a full disk too), the
     * server's coming and going, locks, input and output. All others are mistakes that stay.
     */
    private static final List<String> PASSING = List.of("08", "40", "53", "57P", "55P03", "58", "25006");

    private PostgresTrouble() {}

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

    /** The server's words in one line, without the driver's «ERROR:». */
    private static String reason(Exception cause) {
        String words = String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
        return words.replaceFirst("^(ERROR|FATAL|PANIC): ", "");
    }
}
