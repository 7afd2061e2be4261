package io.updraft.timeseries.decode;

/** Makes decoders. */
public final class Decoders {

    private Decoders() {}

    /**
     * A decoder for one thread.
     *
     * @param spec what records look like
     * @throws ExpressionException when an expression is wrong
     * @throws IllegalArgumentException when something else of the specification is wrong
     */
    public static Decoder create(DecodeSpec spec) {
        RowMaker rows = new RowMaker(spec);
        return spec.format() == Format.JSON ? new JsonDecoder(spec, rows) : new CsvDecoder(spec, rows);
    }
}
