package io.updraft.bench.report;

import java.util.List;
import java.util.function.Function;

/**
 * A table of a report.
 *
 * @param title the table's title
 * @param headings the column headings
 * @param rows the rows, each with one cell per heading
 */
public record ReportTable(String title, List<String> headings, List<List<String>> rows) {

    /**
     * A column of a table that has a row for each item.
     *
     * @param title the column's heading
     * @param cell computes the cell of an item
     */
    public record Column<T>(String title, Function<T, String> cell) {}

    /** {@return a table with a row for each item} */
    public static <T> ReportTable of(String title, List<T> items, List<Column<T>> columns) {
        List<List<String>> rows = items.stream()
                .map(item -> columns.stream()
                        .map(column -> column.cell().apply(item))
                        .toList())
                .toList();
        return new ReportTable(title, columns.stream().map(Column::title).toList(), rows);
    }

    /** {@return the table as aligned text; columns of numbers are right-aligned} */
    public String toText() {
        int[] widths = widths();
        StringBuilder text = new StringBuilder(title).append('\n');
        text.append(line(headings, widths)).append('\n');
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
        }
        rows.forEach(row -> text.append('\n').append(line(row, widths)));
        return text.toString();
    }

    private int[] widths() {
        int[] widths = headings.stream().mapToInt(String::length).toArray();
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? "" : "  ");
            line.append(isNumeric(i) ? padding + cells.get(i) : cells.get(i) + padding);
        }
        return line.toString().stripTrailing();
    }

    private boolean isNumeric(int column) {
        return rows.stream().map(row -> row.get(column)).allMatch(cell -> cell.matches("-|[-+]?[0-9].*"));
    }
}
