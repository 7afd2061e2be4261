package io.updraft.bench.report;

import io.updraft.base.json.Json;
import io.updraft.bench.option.ReportFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of one call, rendered in the requested format.
 *
 * @param series all measured series
 * @param tables the tables to print
 * @param notes sentences below the tables
 * @param verdicts the promised results; empty without {@code --suite}
 */
public record BenchReport(List<Series> series, List<ReportTable> tables, List<String> notes, List<Verdict> verdicts) {

    public boolean valid() {
        return series.stream().allMatch(Series::valid);
    }

    public String render(ReportFormat format) {
        return switch (format) {
            case CSV -> join(tables.stream().map(ReportTable::toCsv).toList());
            case JSON -> json();
            case TABLE ->
                join(tables.stream().map(ReportTable::toText).toList())
                        + (notes.isEmpty() ? "" : "\n\n" + String.join("\n", notes));
        };
    }

    private static String join(List<String> parts) {
        return String.join("\n\n", parts);
    }

    private String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", Machine.description());
        json.put("valid", valid());
        json.put("verdicts", verdicts);
        json.put("notes", notes);
        json.put("series", series.stream().map(Series::toJson).toList());
        return Json.write(json);
    }
}
