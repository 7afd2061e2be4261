package io.updraft.pipeline.kafka;

import io.updraft.pipeline.text.ResultFormat;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.Arrays;

/** Makes keys and values of records. The key is the dimensions; the value is window, dimensions and measures. Not thread-safe. */
final class KafkaRecordText {

    private final int dimensions;
    private final RowText text;
    private final Utf8Buffer buffer = new Utf8Buffer();

    KafkaRecordText(ResultFormat format, Schema columns, int dimensions) {
        this.dimensions = dimensions;
        this.text = RowText.of(format, columns);
    }

    /** Returns the partition of all results; null if keys determine it. Without keys it is 0, to keep the order. */
    Integer partition() {
        return dimensions == 0 ? 0 : null;
    }

    /** Returns the key of a row; null if there are no dimensions. */
    byte[] key(RecordRow row) {
        if (dimensions == 0) {
            return null;
        }
        buffer.clear();
        text.columns(row, 0, dimensions, buffer);
        return buffer.toArray();
    }

    byte[] value(TimeWindow window, RecordRow row) {
        buffer.clear();
        text.row(window, row, buffer);
        byte[] line = buffer.toArray();
        return Arrays.copyOf(line, line.length - 1);
    }
}
