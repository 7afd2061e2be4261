package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.TerminalText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Writes results to standard output, for people or for a pipe. */
final class ConsoleSink implements ResultSink {

    private final ConsoleSinkOptions options;
    private final PrintStream out;
    private RowText text;

    ConsoleSink(ConsoleSinkOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public String where() {
        return "standard output";
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        text = switch (options.style()) {
            case TABLE -> null;
            case TSV -> RowText.delimited(columns, '\t');
            case CSV -> RowText.delimited(columns, ',');
            case JSON -> new JsonText(columns);
        };
        if (text != null) {
            Utf8Buffer header = new Utf8Buffer();
            text.header(header);
            header.moveTo(out);
            check();
        }
    }

    @Override
    public void write(WindowResult result, String share) throws SinkException {
        if (text == null && result.size() == 0 && !result.window().isAllTime()) {
            return; // A heading for each window without groups would hide the others.
        }
        Utf8Buffer buffer = new Utf8Buffer();
        try {
            if (text == null) {
                new ResultTable(result, share, options.maxRows()).print(buffer);
                buffer.writeTo(out);
            } else {
                text.rows(result, buffer, out);
            }
        } catch (IOException e) {
            // A print stream does not throw; check() asks it for errors.
            throw new UncheckedIOException(e);
        }
        check();
    }

    /** Reports a failed write. A full disk and a closed pipe look the same here, and trying again helps against neither. */
    private void check() throws SinkException {
        if (out.checkError()) {
            throw SinkException.lasting(
                    "cannot write to standard output: its reader has closed it, or its disk is full");
        }
    }

    @Override
    public boolean flush(List<PartitionPosition> commits) throws SinkException {
        out.flush();
        check();
        return false;
    }

    @Override
    public void close() {
        out.flush();
    }

    /**
     * Prints a result for people: a heading, aligned columns with numbers to the right, and groups sorted by their dimensions.
     * A large result shows only the first groups and how many more there are. Floating-point numbers have nine digits.
     */
    private static final class ResultTable {

        private static final MathContext DIGITS = new MathContext(9);
        private static final int MAX_CELL = 60;

        private final WindowResult result;
        private final String share;
        private final int maxRows;
        private final Schema.Field[] fields;

        ResultTable(WindowResult result, String share, int maxRows) {
            this.result = result;
            this.share = share;
            this.maxRows = maxRows;
            this.fields = result.schema().fields().toArray(Schema.Field[]::new);
        }

        void print(Utf8Buffer out) {
            List<String[]> lines = new ArrayList<>();
            lines.add(Arrays.stream(fields)
                    .map(field -> TerminalText.show(field.name(), MAX_CELL))
                    .toArray(String[]::new));
            firstRows().forEach(row -> lines.add(cells(row)));
            int[] widths = widths(lines);
            out.add(heading()).add('\n');
            lines.forEach(line -> line(line, widths, out));
            if (result.size() > maxRows) {
                out.add("  ... and " + (result.size() - maxRows) + " more groups\n");
            }
            out.add('\n');
        }

        private String heading() {
            String emission = switch (result.emission()) {
                case EARLY -> ", so far";
                case UPDATE -> ", updated with late records";
                case FINAL -> "";
            };
            return window()
                    + (share == null ? "" : ", " + TerminalText.show(share, Integer.MAX_VALUE)) + ": " + result.size()
                    + (result.size() == 1 ? " group" : " groups") + emission;
        }

        private String window() {
            return result.window().isAllTime()
                    ? "all records"
                    : Instant.ofEpochMilli(result.window().start()) + " to "
                            + Instant.ofEpochMilli(result.window().end());
        }

        /** Returns the first rows, by their dimensions if they have no order; keeps only as many as are shown. */
        private List<Object[]> firstRows() {
            if (result.isOrdered()) {
                List<Object[]> first = new ArrayList<>();
                result.forEach(row -> {
                    if (first.size() < maxRows) {
                        first.add(values(row));
                    }
                });
                return first;
            }
            Comparator<Object[]> order = this::byDimensions;
            PriorityQueue<Object[]> kept = new PriorityQueue<>(order.reversed());
            result.forEach(row -> {
                kept.add(values(row));
                if (kept.size() > maxRows) {
                    kept.poll();
                }
            });
            List<Object[]> sorted = new ArrayList<>(kept);
            sorted.sort(order);
            return sorted;
        }

        private Object[] values(RecordRow row) {
            Object[] values = new Object[fields.length];
            Arrays.setAll(values, row::value);
            return values;
        }

        private int byDimensions(Object[] a, Object[] b) {
            for (int i = 0; i < result.dimensions(); i++) {
                int order = compareValues(a[i], b[i]);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        private static int compareValues(Object a, Object b) {
            if (a == null || b == null) {
                return Boolean.compare(a != null, b != null);
            }
            return a instanceof Long left && b instanceof Long right
                    ? Long.compare(left, right)
                    : a.toString().compareTo(b.toString());
        }

        private String[] cells(Object[] row) {
            String[] cells = new String[row.length];
            Arrays.setAll(cells, i -> row[i] == null ? "-" : cell(row[i], fields[i]));
            return cells;
        }

        private static String cell(Object value, Schema.Field field) {
            return switch (field.type()) {
                case TEXT -> TerminalText.show(value.toString(), MAX_CELL);
                case LONG -> value.toString();
                case DOUBLE -> number((Double) value);
                case DECIMAL -> BigDecimal.valueOf((Long) value, field.scale()).toPlainString();
                case BOOLEAN -> ((Long) value) == 0 ? "false" : "true";
                case TIME -> Instant.ofEpochMilli((Long) value).toString();
            };
        }

        private static String number(double value) {
            if (!Double.isFinite(value)) {
                return Double.toString(value);
            }
            BigDecimal rounded = new BigDecimal(value).round(DIGITS);
            if (rounded.signum() == 0) {
                return "0";
            }
            rounded = rounded.stripTrailingZeros();
            int exponent = rounded.precision() - rounded.scale();
            return exponent > 15 || exponent < -5 ? rounded.toString() : rounded.toPlainString();
        }

        private static int[] widths(List<String[]> lines) {
            int[] widths = new int[lines.get(0).length];
            for (String[] line : lines) {
                Arrays.setAll(widths, i -> Math.max(widths[i], TerminalText.width(line[i])));
            }
            return widths;
        }

        private void line(String[] cells, int[] widths, Utf8Buffer out) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.length; i++) {
                String gap = " ".repeat(widths[i] - TerminalText.width(cells[i]));
                boolean left = fields[i].type() == FieldType.TEXT;
                line.append("  ").append(left ? cells[i] + gap : gap + cells[i]);
            }
            out.add(line.toString().stripTrailing()).add('\n');
        }
    }
}
