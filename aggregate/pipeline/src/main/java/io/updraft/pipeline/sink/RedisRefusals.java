package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.RefusedRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rows since the last flush that Redis refuses for what they are or for what is under their keys. Not thread-safe. */
final class RedisRefusals {

    /** The errors that concern a key or a value, and not the server. */
    private static final List<String> OF_ROWS = List.of("WRONGTYPE", "TSDB:", "ERR TSDB:", "ERR string exceeds");

    private final List<RefusedRow> rows = new ArrayList<>();
    /** The refused rows of the current result. */
    private final Set<Long> refused = new HashSet<>();

    private int result = -1;
    private long row;

    static boolean isRefusal(String error) {
        return OF_ROWS.stream().anyMatch(error::startsWith);
    }

    void beginResult() {
        result++;
        row = -1;
        refused.clear();
    }

    void beginRow() {
        row++;
    }

    /** Returns the number of the current row in its result. */
    long row() {
        return row;
    }

    /** Adds a row of the current result; the first reason counts. */
    void add(long number, String reason) {
        if (refused.add(number)) {
            rows.add(new RefusedRow(result, number, reason));
        }
    }

    /** Returns the rows since the last call. */
    List<RefusedRow> take() {
        List<RefusedRow> taken = List.copyOf(rows);
        rows.clear();
        result = -1;
        return taken;
    }
}
