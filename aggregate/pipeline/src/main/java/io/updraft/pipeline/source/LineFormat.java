package io.updraft.pipeline.source;

import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.Format;
import java.util.List;

/**
 * The format of the lines of a source.
 *
 * @param csv the format of CSV, including the column names; null for other formats
 * @param header whether the first line of each unit names the columns
 * @param maxRecord the most bytes of a record
 */
record LineFormat(CsvFormat csv, boolean header, int maxRecord) {

    static LineFormat of(DecodeSpec decode, boolean header, int maxRecord) {
        boolean csv = decode.format() == Format.CSV;
        return new LineFormat(csv ? decode.csv() : null, csv && header, maxRecord);
    }

    RecordCutter cutter() {
        return csv == null ? RecordCutter.lines() : RecordCutter.csv((byte) csv.quote(), (byte) csv.delimiter());
    }

    /**
     * Compares the columns of a unit with the expected ones.
     *
     * @throws SourceException when they differ
     */
    void checkHeader(String unit, byte[] bytes, int to) throws SourceException {
        List<String> names = CsvLine.split(bytes, 0, to, csv.delimiter(), csv.quote());
        if (!names.equals(csv.names())) {
            throw new SourceException(
                    unit + ":1: the columns are " + String.join(",", names) + ", but " + String.join(",", csv.names())
                            + " are expected; read files with other columns in a pipeline of their own");
        }
    }
}
