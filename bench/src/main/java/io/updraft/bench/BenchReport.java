package io.updraft.bench;

import io.updraft.base.json.Json;
import io.updraft.bench.report.Machine;
import io.updraft.bench.report.ReportTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of one call, rendered in the requested format.
 *
 * @param verdicts the promised results; empty without {@code --suite}
 */
record BenchReport(List<Series> series, List<ReportTable> tables, List<String> notes, List<Verdict> verdicts) {

    boolean valid() {
        return series.stream().allMatch(Series::valid);
    }

    /** {@return the tables, and the notes below them} */
    String text() {
        String text = tables.stream().map(ReportTable::toText).collect(Collectors.joining("\n\n"));
        return text + (notes.isEmpty() ? "" : "\n\n" + String.join("\n", notes));
    }

    String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", Machine.description());
        json.put("valid", valid());
        json.put("verdicts", verdicts);
        json.put("notes", notes);
        json.put("series", series.stream().map(Series::toJson).toList());
        return Json.write(json);
    }
}
