package io.updraft.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * The flags that describe a pipeline without a file, and the YAML that they amount to. Each line of it is remembered together with
 * the flag that it comes from, so that what is wrong with it can be told of the flag.
 */
final class PipelineFlags {

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Where records come from: a file, a directory, a pattern in quotes, or - for standard input; packed"
                            + " with gzip or zstd if need be. Repeatable.")
    private List<String> from = new ArrayList<>();

    @Option(names = "--follow", description = "Wait for more at the end of the files, and for more files.")
    private boolean follow;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "json (one object in each line) or csv. Default: what the file's ending says.")
    private String format;

    @Option(names = "--delimiter", paramLabel = "CHAR", description = "Between columns of CSV. Default: a comma.")
    private String delimiter;

    @Option(
            names = "--types",
            split = ",",
            paramLabel = "FIELD:TYPE",
            description =
                    "Types of fields: text, long, double, boolean, time. Default: guessed from the first records.")
    private List<String> types = new ArrayList<>();

    @Option(
            names = "--filter",
            paramLabel = "EXPRESSION",
            description = "Keep the rows for which this is true: --filter \"dep_delay > 0\".")
    private String filter;

    @Option(
            names = "--group-by",
            split = ",",
            paramLabel = "FIELD",
            description = "The dimensions. JSON: a path, as a.b. Default: one group of all.")
    private List<String> groupBy = new ArrayList<>();

    @Option(names = "--count", description = "Count records.")
    private boolean count;

    @Option(names = "--sum", split = ",", paramLabel = "FIELD", description = "Sums.")
    private List<String> sum = new ArrayList<>();

    @Option(names = "--avg", split = ",", paramLabel = "FIELD", description = "Means.")
    private List<String> avg = new ArrayList<>();

    @Option(names = "--min", split = ",", paramLabel = "FIELD", description = "Least values.")
    private List<String> min = new ArrayList<>();

    @Option(names = "--max", split = ",", paramLabel = "FIELD", description = "Greatest values.")
    private List<String> max = new ArrayList<>();

    @Option(names = "--last", split = ",", paramLabel = "FIELD", description = "Last values.")
    private List<String> last = new ArrayList<>();

    @Option(names = "--stddev", split = ",", paramLabel = "FIELD", description = "Standard deviations.")
    private List<String> stddev = new ArrayList<>();

    @Option(
            names = "--distinct",
            split = ",",
            paramLabel = "FIELD",
            description = "How many different values, estimated.")
    private List<String> distinct = new ArrayList<>();

    @Option(
            names = "--quantile",
            split = ",",
            paramLabel = "FIELD:SHARE",
            description = "Quantiles, estimated: --quantile dep_delay:0.99.")
    private List<String> quantile = new ArrayList<>();

    @Option(
            names = "--every",
            paramLabel = "TIME",
            description = "How long windows are: 250ms, 30s, 5m, 1h, 1d. Default: one window of everything.")
    private String every;

    @Option(names = "--slide", paramLabel = "TIME", description = "From one window's start to the next one's.")
    private String slide;

    @Option(
            names = "--lateness",
            paramLabel = "TIME",
            description = "How long after its end a window still takes records and is written again. Default: 0s.")
    private String lateness;

    @Option(
            names = "--time",
            paramLabel = "FIELD",
            description =
                    "The time of a record; or 'processing', the clock's. Default: the one field that looks like a time.")
    private String time;

    @Option(
            names = "--disorder",
            paramLabel = "TIME",
            description = "By how much a record may be older than one before it without being late. Default: 0s.")
    private String disorder;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description =
                    "Where results go: a file (.csv, .json, .parquet), or table, csv, tsv, json for standard output."
                            + " Repeatable. Default: table.")
    private List<String> to = new ArrayList<>();

    @Option(names = "--dead-letters", paramLabel = "FILE", description = "Where records go that cannot be read.")
    private String deadLetters;

    @Option(names = "--late", paramLabel = "FILE", description = "Where rows go that come too late.")
    private String late;

    private final StringBuilder text = new StringBuilder();
    private final Map<Integer, String> flagOfLine = new HashMap<>();
    private int lines;

    /** Whether any was given. */
    boolean any() {
        return follow
                || count
                || Stream.of(from, types, groupBy, sum, avg, min, max, last, stddev, distinct, quantile, to)
                        .anyMatch(list -> !list.isEmpty())
                || Stream.of(format, delimiter, filter, every, slide, lateness, time, disorder, deadLetters, late)
                        .anyMatch(value -> value != null);
    }

    /** What cannot be meant together, as a message; null if nothing. */
    String conflict() {
        if (from.contains("-") && from.size() > 1) {
            return "--from - is standard input, which cannot be read together with files: give it alone";
        }
        if (from.contains("-") && follow) {
            return "--follow is for files; standard input is read until whoever writes it ends";
        }
        return "processing".equals(time) && disorder != null
                ? "--disorder has no use with --time processing: the clock's time is in order"
                : null;
    }

    /** The flag that a line of {@link #yaml} comes from. */
    String flag(int line) {
        return flagOfLine.getOrDefault(line, "the flags");
    }

    /** The description that the flags amount to. */
    String yaml() {
        text.setLength(0);
        lines = 0;
        source();
        if (format != null || delimiter != null) {
            line("--format", "format:");
            line("--format", "  type: " + (format == null ? "csv" : quoted(format)));
            option("--delimiter", "  delimiter: ", delimiter);
        }
        flatten();
        time();
        aggregate();
        sinks();
        records("--late", "late", late);
        records("--dead-letters", "dead_letters", deadLetters);
        return text.toString();
    }

    private void line(String flag, String line) {
        text.append(line).append('\n');
        flagOfLine.put(++lines, flag);
    }

    private void option(String flag, String before, String value) {
        if (value != null) {
            line(flag, before + quoted(value));
        }
    }

    // What is in quotes stays as it is, but for dollars, which YAML does not know and descriptions do.
    private static String quoted(String value) {
        return "'" + value.replace("'", "''").replace("${", "$${") + "'";
    }

    private static String list(List<String> values) {
        return "["
                + String.join(", ", values.stream().map(PipelineFlags::quoted).toList()) + "]";
    }

    private void source() {
        if (from.isEmpty()) {
            line("--from", "source:");
        } else if (from.equals(List.of("-"))) {
            line("--from", "source: stdin");
        } else {
            line("--from", "source:");
            line("--from", "  file:");
            line("--from", "    path: " + list(from));
            if (follow) {
                line("--follow", "    follow: true");
            }
        }
    }

    private void flatten() {
        if (types.isEmpty() && filter == null) {
            return;
        }
        line("--types", "flatten:");
        line("--types", "  infer: true");
        if (!types.isEmpty()) {
            line("--types", "  fields:");
        }
        for (String type : types) {
            int colon = Math.max(0, type.lastIndexOf(':'));
            line(
                    "--types",
                    "    " + quoted(type.substring(0, colon)) + ": "
                            + quoted(type.substring(colon).replace(":", "")));
        }
        option("--filter", "  filter: ", filter);
    }

    private void time() {
        if ("processing".equals(time)) {
            line("--time", "time: processing");
            return;
        }
        if (time != null || disorder != null) {
            line(time == null ? "--disorder" : "--time", "time:");
        }
        option("--time", "  field: ", time);
        option("--disorder", "  disorder: ", disorder);
    }

    private void aggregate() {
        line("--every", "aggregate:");
        if (!groupBy.isEmpty()) {
            line("--group-by", "  group_by: " + list(groupBy));
        }
        line("--count, --sum, ...", "  measures:");
        if (count) {
            line("--count", "    count: count()");
        }
        measures("sum", sum);
        measures("avg", avg);
        measures("min", min);
        measures("max", max);
        measures("last", last);
        measures("stddev", stddev);
        measures("distinct", distinct);
        for (String each : quantile) {
            int colon = each.lastIndexOf(':');
            String field = colon < 0 ? each : each.substring(0, colon);
            String share = colon < 0 ? "" : ", " + each.substring(colon + 1);
            String name = "p" + (colon < 0 ? "" : percent(each.substring(colon + 1))) + "_" + field;
            line("--quantile", "    " + quoted(name) + ": " + quoted("quantile(" + field + share + ")"));
        }
        option("--every", "  every: ", every);
        option("--slide", "  slide: ", slide);
        option("--lateness", "  lateness: ", lateness);
    }

    private void measures(String function, List<String> fields) {
        for (String field : fields) {
            line(
                    "--" + function,
                    "    " + quoted(function + "_" + field) + ": " + quoted(function + "(" + field + ")"));
        }
    }

    // 0.5 is called 50, 0.999 is called 999.
    private static String percent(String share) {
        String digits = share.replaceFirst("^0?\\.", "");
        return digits.length() == 1 ? digits + "0" : digits;
    }

    private void sinks() {
        if (to.isEmpty()) {
            return;
        }
        line("--to", "sinks:");
        for (String each : to) {
            String name = each.toLowerCase(Locale.ROOT);
            if (List.of("table", "csv", "tsv", "json").contains(name)) {
                line("--to", "  - stdout: " + name);
            } else {
                line("--to", "  - " + kind(name) + ": " + quoted(each));
            }
        }
    }

    // An ending that nobody knows is told as a kind of sink that nobody knows.
    private static String kind(String name) {
        String ending = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
        return ending.equals("jsonl") || ending.equals("ndjson") ? "json" : quoted(ending);
    }

    private void records(String flag, String key, String path) {
        if (path != null) {
            line(flag, key + ":");
            line(flag, "  file: " + quoted(path));
        }
    }
}
