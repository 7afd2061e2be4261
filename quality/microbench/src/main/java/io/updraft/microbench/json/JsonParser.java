package io.updraft.microbench.json;

import io.updraft.timeseries.record.Row;
import java.io.IOException;

/** A library that fills a row from a record. */
interface JsonParser {

    void parse(byte[] text, Row row) throws IOException;
}
