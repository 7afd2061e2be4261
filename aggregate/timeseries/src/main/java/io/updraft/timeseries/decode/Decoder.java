package io.updraft.timeseries.decode;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.record.RecordRow;
import java.util.Collection;

/**
 * Decodes the bytes of records to rows: parses, flattens, filters. A decoder has internal buffers, so each thread needs its
 * own. It keeps nothing from one chunk to the next except the header of a partition that has one.
 */
public interface Decoder {

    /**
     * Creates a decoder for one thread.
     *
     * @param spec the format of records, and the rows to make of them
     * @throws ExpressionException when an expression is invalid
     * @throws IllegalArgumentException when another part of the specification is invalid
     */
    static Decoder create(DecodeSpec spec) {
        return create(spec, KeyColumns.none(spec));
    }

    /**
     * Creates a decoder for one thread, whose rows may have a key text ({@link RecordRow#keyText}) in place of the values of key
     * fields.
     *
     * @param keys the fields by which rows are grouped
     * @param read the fields that a receiver of rows reads, apart from the key; their slots always have their values
     */
    static Decoder create(DecodeSpec spec, Collection<String> keys, Collection<String> read) {
        return create(spec, KeyColumns.of(spec, keys, read));
    }

    private static Decoder create(DecodeSpec spec, KeyColumns columns) {
        RowCompleter rows = new RowCompleter(spec);
        return spec.format() == DecodeSpec.Format.JSON
                ? new JsonDecoder(spec, rows, columns, (column, found) -> {
                    throw column.wrong(found);
                })
                : new CsvDecoder(spec, rows, columns);
    }

    /**
     * Decodes all records of a chunk in order. A record that cannot be decoded is reported, and decoding continues. A record
     * may give no row, or several.
     *
     * @param chunk the records; its bytes are neither changed nor kept
     * @param rows receives every row, and every record that cannot be decoded
     * @return the number of records
     */
    int decode(Chunk chunk, RowHandler rows);

    /**
     * Returns the index in the chunk's bytes of the record whose row is being passed to a handler. Undefined at other times.
     */
    int recordFrom();

    /** Returns the number of bytes of that record, without its line end. */
    int recordLength();
}
