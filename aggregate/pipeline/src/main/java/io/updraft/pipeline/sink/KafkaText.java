package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.Arrays;

/** Makes keys and values of records. The key is the dimensions; the value is window, dimensions and measures. One thread. */
final class KafkaText {

    private final int dimensions;
    private final RowText text;
    private final Utf8 buffer = new Utf8();

    KafkaText(FileFormat format, Schema columns, int dimensions) {
        this.dimensions = dimensions;
        this.text = RowText.of(format, columns);
    }

    /**
     * Returns the partition of all results; null if their keys determine it. Results without keys all go to partition 0, to
     * keep their order.
     */
    Integer partition() {
        return dimensions == 0 ? 0 : null;
    }

    /** Returns the key of a row; null if there are no dimensions. */
    byte[] key(Row row) {
        if (dimensions == 0) {
            return null;
        }
        buffer.clear();
        text.columns(row, 0, dimensions, buffer);
        return buffer.toArray();
    }

    byte[] value(Window window, Row row) {
        buffer.clear();
        text.row(window, row, buffer);
        byte[] line = buffer.toArray();
        return Arrays.copyOf(line, line.length - 1);
    }
}
