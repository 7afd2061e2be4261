package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;

/** Receives the results of a {@link Decoder}, on the thread that decodes. */
public interface RowHandler {

    /**
     * Receives a row.
     *
     * @param row the row, reused after this call returns
     * @param position the position of its record in the partition
     * @param time the time of its record according to the source, milliseconds since 1970; 0 if the source has none
     */
    void row(RecordRow row, long position, long time);

    /**
     * Receives consecutive rows at once. {@link Decoder#recordFrom} is undefined meanwhile.
     *
     * @param block the rows, reused after this call returns
     */
    default void rows(RowBlock block) {
        for (int i = 0; i < block.count(); i++) {
            row(block.row(i), block.position(i), block.times()[i]);
        }
    }

    /**
     * Receives a record that cannot be decoded.
     *
     * @param position the position of the record in the partition
     * @param bytes contain the record, unchanged only until this call returns
     * @param from the index of its first byte
     * @param length the number of its bytes
     * @param reason what is wrong with it and where, in one line
     */
    void rejected(long position, byte[] bytes, int from, int length, String reason);
}
