package io.updraft.bench.spec;

import io.updraft.base.json.Json;
import java.io.PrintStream;
import java.util.Optional;

/**
 * What a child tells its parent: a line with a mark, the kind of the report, and JSON.
 *
 * @param kind one word
 * @param json an object in JSON
 */
public record ChildReport(String kind, String json) {

    private static final String MARK = "@updraft-bench-";

    /** Prints a report with one write, because another library's log may use the same stream. */
    public static void print(PrintStream out, String kind, Object content) {
        out.print(MARK + kind + ' ' + Json.write(content) + '\n');
        out.flush();
    }

    /** {@return the report of a line; empty if the line has none} */
    public static Optional<ChildReport> in(String line) {
        int at = line.indexOf(MARK);
        int blank = line.indexOf(' ', at);
        return at < 0 || blank < 0
                ? Optional.empty()
                : Optional.of(new ChildReport(line.substring(at + MARK.length(), blank), line.substring(blank + 1)));
    }

    /** {@return the content as a record} */
    public <T extends Record> T as(Class<T> type) {
        return Json.read(json, type);
    }
}
