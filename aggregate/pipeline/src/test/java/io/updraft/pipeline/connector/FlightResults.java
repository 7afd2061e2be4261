package io.updraft.pipeline.connector;

import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Makes results for tests. */
public final class FlightResults implements WindowResult {

    public static final long HOUR = 3_600_000;
    public static final long FIVE = Instant.parse("2013-01-01T05:00:00Z").toEpochMilli();

    /** A column of each type: two dimensions, then five measures. */
    public static final Schema COLUMNS = new Schema(List.of(
            new Schema.Field("carrier", FieldType.TEXT),
            new Schema.Field("flight", FieldType.LONG),
            new Schema.Field("n", FieldType.LONG),
            new Schema.Field("mean", FieldType.DOUBLE),
            new Schema.Field("cancelled", FieldType.BOOLEAN),
            new Schema.Field("last_seen", FieldType.TIME),
            new Schema.Field("last_tail", FieldType.TEXT)));

    public static final int DIMENSIONS = 2;

    private final TimeWindow window;
    private final Emission emission;
    private final Schema schema;
    private final int dimensions;
    private final long size;
    private final LongFunction<Object[]> rows;

    private FlightResults(
            TimeWindow window,
            Emission emission,
            Schema schema,
            int dimensions,
            long size,
            LongFunction<Object[]> rows) {
        this.window = window;
        this.emission = emission;
        this.schema = schema;
        this.dimensions = dimensions;
        this.size = size;
        this.rows = rows;
    }

    /** The result of an hour, counted from five o'clock. */
    public static FlightResults hour(int number, Object[]... rows) {
        return new FlightResults(window(number), Emission.FINAL, COLUMNS, DIMENSIONS, rows.length, i -> rows[(int) i]);
    }

    public static FlightResults many(int hour, long size, LongFunction<Object[]> rows) {
        return new FlightResults(window(hour), Emission.FINAL, COLUMNS, DIMENSIONS, size, rows);
    }

    /** A dimension and a measure with two digits after the point. */
    public static final Schema PRICES = new Schema(
            List.of(new Schema.Field("step", FieldType.DECIMAL, 2), new Schema.Field("price", FieldType.DECIMAL, 2)));

    /** The result of an hour of {@link #PRICES}. */
    public static FlightResults prices(Object[]... rows) {
        return new FlightResults(window(0), Emission.FINAL, PRICES, 1, rows.length, i -> rows[(int) i]);
    }

    static TimeWindow window(int hour) {
        return new TimeWindow(FIVE + hour * HOUR, FIVE + (hour + 1) * HOUR);
    }

    public FlightResults as(Emission other) {
        return new FlightResults(window, other, schema, dimensions, size, rows);
    }

    /** Whole numbers, floating-point numbers, booleans, {@link Instant}s, strings and bytes of text; null for nothing. */
    public static Object[] row(Object... values) {
        return values;
    }

    /** A row in which only the dimensions and the count matter. */
    public static Object[] count(String carrier, long flight, long n) {
        return row(carrier, flight, n, 1.5, false, Instant.ofEpochMilli(FIVE), "N1");
    }

    @Override
    public TimeWindow window() {
        return window;
    }

    @Override
    public Emission emission() {
        return emission;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public int dimensions() {
        return dimensions;
    }

    @Override
    public long size() {
        return size;
    }

    /** Text alternates between the two forms that a row may hold it in, with rubbish around the bytes. */
    @Override
    public void forEach(Consumer<RecordRow> consumer) {
        RecordRow row = new RecordRow(schema);
        for (long i = 0; i < size; i++) {
            row.clear();
            Object[] values = rows.apply(i);
            for (int slot = 0; slot < values.length; slot++) {
                set(row, slot, values[slot], (i + slot) % 2 == 0);
            }
            consumer.accept(row);
        }
    }

    private static void set(RecordRow row, int slot, Object value, boolean asBytes) {
        if (value instanceof Integer || value instanceof Long) {
            row.setLong(slot, ((Number) value).longValue());
        } else if (value instanceof Double number) {
            row.setDouble(slot, number);
        } else if (value instanceof Boolean flag) {
            row.setLong(slot, flag ? 1 : 0);
        } else if (value instanceof Instant time) {
            row.setLong(slot, time.toEpochMilli());
        } else if (value instanceof byte[] bytes) {
            row.setText(slot, bytes, 0, bytes.length);
        } else if (value instanceof String text && asBytes) {
            byte[] bytes = ("<<" + text + ">>").getBytes(StandardCharsets.UTF_8);
            row.setText(slot, bytes, 2, bytes.length - 4);
        } else if (value instanceof String text) {
            row.setText(slot, text);
        }
    }

    /** Rows with everything that text and numbers may have in them. */
    public static Object[][] awkward() {
        Instant time = Instant.parse("2013-01-01T05:00:00.123Z");
        List<Object[]> rows = new ArrayList<>();
        rows.add(row("UA", 1, 7, 1.25, true, time, "N14228"));
        rows.add(row(
                "quote \" comma , tab \t line\nfeed\rreturn \\ back",
                2,
                -3,
                Double.NaN,
                false,
                time,
                "'; DROP TABLE x; --"));
        rows.add(row("Zürich 東京 \ud83d\ude80 e\u0301", 3, Long.MAX_VALUE, Double.POSITIVE_INFINITY, null, null, "\\N"));
        rows.add(row(null, 4, Long.MIN_VALUE, Double.NEGATIVE_INFINITY, true, time, null));
        rows.add(row("", null, 0, -0.0, false, time, ""));
        rows.add(row(null, null, 1, null, null, null, null));
        rows.add(row(" spaces ", 5, 1, 1.0E-300, true, time, " "));
        return rows.toArray(Object[][]::new);
    }
}
