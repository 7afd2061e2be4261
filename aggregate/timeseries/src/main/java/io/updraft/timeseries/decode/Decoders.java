package io.updraft.timeseries.decode;

import io.updraft.timeseries.expression.ExpressionException;

/** Creates decoders. */
public final class Decoders {

    private Decoders() {}

    /**
     * Creates a decoder for one thread.
     *
     * @param spec the format of records, and the rows to make of them
     * @throws ExpressionException when an expression is invalid
     * @throws IllegalArgumentException when another part of the specification is invalid
     */
    public static Decoder create(DecodeSpec spec) {
        RowCompleter rows = new RowCompleter(spec);
        return spec.format() == RecordFormat.JSON
                ? new JsonDecoder(spec, rows, Decoders::refuse)
                : new CsvDecoder(spec, rows);
    }

    private static void refuse(ColumnWriter column, String found) {
        throw column.wrong(found);
    }
}
