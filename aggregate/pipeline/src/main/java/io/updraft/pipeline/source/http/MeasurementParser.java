package io.updraft.pipeline.source.http;

import io.updraft.base.record.Chunk;
import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;

/**
 * Reads the body of a request in the format of Librato's metrics API: an object with {@code gauges} and {@code counters}. Each
 * is a list of measurements, or an object of measurements by name. {@code source} and {@code measure_time} of the body apply to
 * measurements without their own. Each measurement becomes a line of JSON. One thread only.
 */
final class MeasurementParser {

    private static final int NAME = 0;
    private static final int KEY = 1;
    private static final int SOURCE = 2;
    private static final int COMMON_SOURCE = 3;
    private static final int TIME = 4;
    private static final int COMMON_TIME = 5;
    private static final int FIRST_NUMBER = 6;
    private static final int MAX_NAME = 255;
    private static final List<String> NUMBERS = List.of("value", "count", "sum", "min", "max", "sum_squares");

    private final Decoder gauges = decoder("gauges");
    private final Decoder counters = decoder("counters");
    private final Utf8Buffer lines = new Utf8Buffer();
    private String mistake;
    private int number;
    private int found;

    private static Decoder decoder(String kind) {
        DecodedColumn[] columns = new DecodedColumn[FIRST_NUMBER + NUMBERS.size()];
        columns[NAME] = DecodedColumn.of("name", FieldType.TEXT, "@.name");
        columns[KEY] = DecodedColumn.of("key", FieldType.TEXT, "@key");
        columns[SOURCE] = DecodedColumn.of("source", FieldType.TEXT, "@.source");
        columns[COMMON_SOURCE] = DecodedColumn.of("common_source", FieldType.TEXT, "source");
        columns[TIME] = DecodedColumn.of("measure_time", FieldType.LONG, "@.measure_time");
        columns[COMMON_TIME] = DecodedColumn.of("common_measure_time", FieldType.LONG, "measure_time");
        for (int i = 0; i < NUMBERS.size(); i++) {
            columns[FIRST_NUMBER + i] = DecodedColumn.of(NUMBERS.get(i), FieldType.DOUBLE, "@." + NUMBERS.get(i));
        }
        return Decoder.create(DecodeSpec.exploding(kind, columns));
    }

    /**
     * Reads a body.
     *
     * @param now the time of measurements that have none, in seconds since 1970
     * @throws IllegalArgumentException when the body has a mistake, which the message names in one line; then no measurement is
     *     taken
     */
    byte[] read(byte[] body, long now) {
        lines.clear();
        mistake = null;
        found = 0;
        read(gauges, "gauge", body, now);
        read(counters, "counter", body, now);
        if (mistake == null && found == 0) {
            mistake = "the body has neither gauges nor counters";
        }
        if (mistake != null) {
            throw new IllegalArgumentException(mistake);
        }
        return lines.toArray();
    }

    // The body is one record, even with line feeds in it.
    private void read(Decoder decoder, String type, byte[] body, long now) {
        number = 0;
        if (mistake != null) {
            return;
        }
        decoder.decode(
                new Chunk("http", 0, 1, body, body.length, new int[] {body.length}, new long[1], null),
                new RowHandler() {
                    @Override
                    public void row(RecordRow row, long position, long time) {
                        add(row, type, now);
                    }

                    @Override
                    public void rejected(long position, byte[] bytes, int from, int length, String reason) {
                        mistake = mistake == null ? reason : mistake;
                    }
                });
    }

    private void add(RecordRow row, String type, long now) {
        int index = number++;
        found++;
        String name = text(row, NAME, KEY);
        boolean whole = row.has(FIRST_NUMBER) || row.has(FIRST_NUMBER + 1) && row.has(FIRST_NUMBER + 2);
        if (mistake != null) {
            return;
        }
        if (name == null || name.isEmpty() || name.length() > MAX_NAME) {
            mistake = type + "s[" + index + "]: a name of 1 to " + MAX_NAME + " characters is required";
        } else if (!whole) {
            mistake = type + "s[" + index + "] (" + name + "): either value, or count and sum, is required";
        } else {
            write(row, type, name, now);
        }
    }

    private static String text(RecordRow row, int slot, int otherwise) {
        Object value = row.value(row.has(slot) ? slot : otherwise);
        return value == null ? null : value.toString();
    }

    private void write(RecordRow row, String type, String name, long now) {
        JsonText.string(name, lines.add("{\"name\":"));
        String source = text(row, SOURCE, COMMON_SOURCE);
        if (source != null) {
            JsonText.string(source, lines.add(",\"source\":"));
        }
        long time = row.has(TIME) ? row.getLong(TIME) : row.has(COMMON_TIME) ? row.getLong(COMMON_TIME) : now;
        lines.add(",\"type\":\"").add(type).add("\",\"measure_time\":").addNumber(time);
        for (int i = 0; i < NUMBERS.size(); i++) {
            if (row.has(FIRST_NUMBER + i)) {
                lines.add(",\"").add(NUMBERS.get(i)).add("\":").addNumber(row.getDouble(FIRST_NUMBER + i));
            }
        }
        lines.add("}\n");
    }
}
