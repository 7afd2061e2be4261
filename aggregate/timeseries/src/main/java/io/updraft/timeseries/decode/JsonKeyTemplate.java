package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Decimal;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import java.util.Arrays;

/** Parses the key texts of one producer that were not seen before: the bytes that all of them have, and the values between. */
final class JsonKeyTemplate {

    private final int[] kinds;
    private final ColumnWriter[] columns;
    private final JsonLiterals literals;
    private final Decimal decimal = new Decimal();

    private JsonKeyTemplate(int[] kinds, ColumnWriter[] columns, JsonLiterals literals) {
        this.kinds = kinds;
        this.columns = columns;
        this.literals = literals;
    }

    /** Makes a template of a key text that was traced value by value: from an index to the end of the trace. */
    static JsonKeyTemplate of(JsonTrace trace, byte[] in, int first, int from, int to) {
        int[] starts = Arrays.copyOfRange(trace.starts, first, trace.count);
        int[] ends = Arrays.copyOfRange(trace.ends, first, trace.count);
        return new JsonKeyTemplate(
                Arrays.copyOfRange(trace.kinds, first, trace.count),
                Arrays.copyOfRange(trace.columns, first, trace.count),
                new JsonLiterals(in, from, starts, ends, to));
    }

    /** Puts the values of a key text into a row. Returns its end; -1 if it is not one of this template. */
    int read(byte[] in, int from, int end, RecordRow row) {
        row.clear();
        int at = from;
        int count = kinds.length;
        try {
            for (int i = 0; i < count; i++) {
                if (!literals.is(i, in, at)) {
                    return -1;
                }
                at += literals.length(i);
                boolean isText = kinds[i] == JsonTrace.TEXT;
                int after = isText ? JsonTemplate.textEnd(in, at, end) : decimal.json(in, at, end);
                if (after < 0) {
                    return -1;
                }
                if (isText) {
                    columns[i].text(row, in, at, after - at);
                } else {
                    columns[i].number(row, decimal, in, at, after - at);
                }
                at = after;
            }
        } catch (RejectedRecordException e) {
            // The scanner rejects the record, and says why.
            return -1;
        }
        return literals.is(count, in, at) ? at + literals.length(count) : -1;
    }
}
