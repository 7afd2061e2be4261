package io.updraft.pipeline.connector;

/**
 * A row that a sink can never take, since a value of it does not fit there.
 *
 * @param result the number of its result: how many results the sink got before it since the last flush
 * @param row the number of the row in its result, from 0, in the order in which the result passes its rows
 * @param reason why, in one line that names the column where it is known
 */
public record RefusedRow(int result, long row, String reason) {

    /** When a sink has refused this many rows and taken none, it need not look at more of them. */
    public static final int MANY = 1_000;

    private static final int MAX_REASON = 500;

    /** Limits the reason: a server may repeat the whole row in it. */
    public RefusedRow {
        reason = reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) + "..." : reason;
    }
}
