package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Chunk;

/**
 * Makes rows of the bytes of records: parses, flattens, filters. Keeps what it needs for that, so each thread has its own, and
 * it holds nothing over from one chunk to the next but the header of a unit that has one.
 */
public interface Decoder {

    /**
     * Decodes all records of a chunk in their order. A record that cannot be decoded is reported and does not stop the others;
     * a record may give no row, or many.
     *
     * @param chunk the records; its bytes are not changed and not kept
     * @param rows told of every row and of every record that gives none because something is wrong with it
     * @return how many records there were
     */
    int decode(Chunk chunk, RowHandler rows);

    /** Where in the chunk's bytes the record begins whose row a handler is being told of; at other times it says nothing. */
    int recordFrom();

    /** How many bytes that record has, without the end of its line. */
    int recordLength();
}
