package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Row;

/** Told by a {@link Decoder} what it finds, on the thread that decodes. */
public interface RowHandler {

    /**
     * A row.
     *
     * @param row filled again after this returns
     * @param position of its record in the unit
     * @param time when its record was made according to its source, milliseconds since 1970; 0 if the source does not tell
     */
    void row(Row row, long position, long time);

    /**
     * A record that cannot be decoded.
     *
     * @param position of it in the unit
     * @param bytes hold the record, unchanged only until this returns
     * @param from where it begins
     * @param length how many bytes it has
     * @param reason what is wrong with it and where, in one line
     */
    void bad(long position, byte[] bytes, int from, int length, String reason);
}
