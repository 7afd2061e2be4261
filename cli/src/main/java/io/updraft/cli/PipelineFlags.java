package io.updraft.cli;

import io.updraft.pipeline.spec.ResultPlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The flags that describe a pipeline without a file, and the YAML made from them. Records which flag each line of the YAML comes
 * from, so that an error in a line names its flag.
 */
final class PipelineFlags {
    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Read records from a file, a directory, a quoted pattern, or - for standard input. Files may"
                    + " be compressed with gzip or zstd. Repeatable.")
    private List<String> sources = new ArrayList<>();

    @Option(names = "--follow", descriptionKey = "FILE.follow")
    private boolean follow;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "json (one object per line) or csv. Default: by the file's ending. Required with --from -.")
    private String format;

    @Option(names = "--delimiter", paramLabel = "CHAR", descriptionKey = "CSV.delimiter")
    private String delimiter;

    @Option(
            names = "--types",
            split = ",",
            paramLabel = "FIELD:TYPE",
            description =
                    "Field types: text, long, double, decimal(2), boolean, time, as in amount:double,when:time. Default:"
                            + " guessed from the first records; fields of --group-by are text.")
    private List<String> types = new ArrayList<>();

    @Option(names = "--filter", paramLabel = "EXPRESSION", descriptionKey = "FLATTEN.filter")
    private String filter;

    @Option(names = "--group-by", split = ",", paramLabel = "FIELD", descriptionKey = "AGGREGATE.group_by")
    private List<String> groupBy = new ArrayList<>();

    @Option(names = "--count", description = "Count the records of each group.")
    private boolean count;

    @Option(names = "--sum", split = ",", paramLabel = "FIELD", description = "Sums of these fields.")
    private List<String> sum = new ArrayList<>();

    @Option(names = "--avg", split = ",", paramLabel = "FIELD", description = "Means of these fields.")
    private List<String> avg = new ArrayList<>();

    @Option(names = "--min", split = ",", paramLabel = "FIELD", description = "Minima of these fields.")
    private List<String> min = new ArrayList<>();

    @Option(names = "--max", split = ",", paramLabel = "FIELD", description = "Maxima of these fields.")
    private List<String> max = new ArrayList<>();

    @Option(names = "--last", split = ",", paramLabel = "FIELD", description = "Last values of these fields.")
    private List<String> last = new ArrayList<>();

    @Option(names = "--stddev", split = ",", paramLabel = "FIELD", description = "Standard deviations of these fields.")
    private List<String> stddev = new ArrayList<>();

    @Option(
            names = "--distinct",
            split = ",",
            paramLabel = "FIELD",
            description = "Estimated number of distinct values of these fields.")
    private List<String> distinct = new ArrayList<>();

    @Option(
            names = "--quantile",
            split = ",",
            paramLabel = "FIELD:SHARE",
            description = "Estimated quantiles of these fields: --quantile dep_delay:0.99.")
    private List<String> quantile = new ArrayList<>();

    @Option(names = "--every", paramLabel = "TIME", descriptionKey = "AGGREGATE.every")
    private String interval;

    @Option(names = "--slide", paramLabel = "TIME", descriptionKey = "AGGREGATE.slide")
    private String slide;

    @Option(names = "--zone", paramLabel = "NAME", descriptionKey = "AGGREGATE.zone")
    private String zone;

    @Option(names = "--lateness", paramLabel = "TIME", descriptionKey = "AGGREGATE.lateness")
    private String lateness;

    @Option(
            names = "--time",
            paramLabel = "FIELD",
            description = "Field with the record's time, or 'processing' for the time of the clock. Default: the only"
                    + " field that looks like a time.")
    private String time;

    @Option(names = "--disorder", paramLabel = "TIME", descriptionKey = "TIME.disorder")
    private String disorder;

    @Mixin
    private ResultsOption results = new ResultsOption();

    @Option(
            names = "--dead-letters",
            paramLabel = "FILE",
            description = "Write unusable records to this file. Default: only count them.")
    private String deadLetters;

    @Option(
            names = "--late",
            paramLabel = "FILE",
            description = "Write rows whose windows are already closed to this file. Default: only count them.")
    private String late;

    private final StringBuilder text = new StringBuilder();
    private final Map<Integer, String> flagOfLine = new HashMap<>();
    private int lines;

    /** Returns an error message for flags that exclude each other; null if there are none. */
    String conflict() {
        if (sources.contains("-") && sources.size() > 1) {
            return "--from - is standard input, which cannot be read together with files: use it alone";
        }
        if (sources.contains("-") && follow) {
            return "--follow is for files: remove it, since standard input is read until its writer closes it";
        }
        return "processing".equals(time) && disorder != null
                ? "--disorder has no use with --time processing, whose times are in order: remove --disorder"
                : null;
    }

    /** Returns the flag that a line of {@link #yaml} comes from; lines count from 1. */
    String flag(int line) {
        return flagOfLine.getOrDefault(line, "the flags");
    }

    String yaml() {
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

    // A quoted value is taken literally in YAML, without control characters; those are escaped in double quotes.
    // Descriptions still replace variables in it, so their dollars are doubled.
    private static String quoted(String value) {
        String plain = value.replace("${", "$${");
        if (value.chars().noneMatch(Character::isISOControl)) {
            return "'" + plain.replace("'", "''") + "'";
        }
        StringBuilder escaped = new StringBuilder("\"");
        for (char c : plain.toCharArray()) {
            boolean escape = Character.isISOControl(c) || c == '"' || c == '\\';
            escaped.append(escape ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return escaped.append('"').toString();
    }

    private static String list(List<String> values) {
        return "["
                + String.join(", ", values.stream().map(PipelineFlags::quoted).toList()) + "]";
    }

    private void source() {
        boolean stdin = sources.equals(List.of("-"));
        line("--from", stdin ? "source: stdin" : "source:");
        if (!stdin && !sources.isEmpty()) {
            line("--from", "  file:");
            line("--from", "    path: " + list(sources));
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
            String name = type.substring(colon).replace(":", "");
            line("--types", "    " + quoted(type.substring(0, colon)) + ": " + quoted(name));
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
            line(
                    "--group-by",
                    "  group_by: " + list(groupBy.stream().map(String::strip).toList()));
        }
        line("--count, --sum, ...", "  measures:");
        if (count) {
            line("--count", "    count: count(*)");
        }
        measures("sum", sum);
        measures("avg", avg);
        measures("min", min);
        measures("max", max);
        measures("last", last);
        measures("stddev", "stddev_pop", stddev);
        measures("distinct", "approx_count_distinct", distinct);
        for (String each : quantile) {
            int colon = each.lastIndexOf(':');
            String field = colon < 0 ? each : each.substring(0, colon);
            String share = colon < 0 ? "" : ", " + each.substring(colon + 1);
            String name = "p" + (colon < 0 ? "" : percent(each.substring(colon + 1))) + "_" + field;
            line("--quantile", "    " + quoted(name) + ": " + quoted("approx_quantile(" + name(field) + share + ")"));
        }
        option("--every", "  every: ", interval);
        option("--slide", "  slide: ", slide);
        option("--zone", "  zone: ", zone);
        option("--lateness", "  lateness: ", lateness);
    }

    private void measures(String function, List<String> fields) {
        measures(function, function, fields);
    }

    private void measures(String flag, String function, List<String> fields) {
        for (String field : fields) {
            String call = function + "(" + name(field) + ")";
            line("--" + flag, "    " + quoted(flag + "_" + field) + ": " + quoted(call));
        }
    }

    /** Returns a name in quotes, in which it may have any character. */
    private static String name(String field) {
        return '"' + field.replace("\"", "\"\"") + '"';
    }

    // Turns 0.5 into 50, and 0.999 into 999.
    private static String percent(String share) {
        String digits = share.replaceFirst("^0?\\.", "");
        return digits.length() == 1 ? digits + "0" : digits;
    }

    private void sinks() {
        List<ResultPlace> places = results.places();
        if (!places.isEmpty()) {
            line("--to", "sinks:");
        }
        for (ResultPlace place : places) {
            line("--to", "  - " + quoted(place.sink()) + ": " + quoted(place.value()));
        }
    }

    private void records(String flag, String key, String path) {
        if (path != null) {
            line(flag, key + ":");
            line(flag, "  file: " + quoted(path));
        }
    }
}
