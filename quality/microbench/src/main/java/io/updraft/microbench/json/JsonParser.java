package io.updraft.microbench.json;

import io.updraft.timeseries.record.RecordRow;
import java.io.IOException;

/** A library that fills a row from a record. */
interface JsonParser {

    void parse(byte[] text, RecordRow row) throws IOException;
}
