package io.updraft.observe.metrics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict parser of the text format of Prometheus and of OpenMetrics. It accepts only what Updraft writes: counters,
 * gauges and histograms without time stamps, each family described before its samples and in one piece. It throws {@link AssertionError} for all else.
 */
public final class ExpositionParser {
    private static final Pattern DESCRIPTION = Pattern.compile("# (HELP|TYPE|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\\S.*)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,(?=.)|$)");

    private static final Set<String> PARTS = Set.of("_bucket", "_sum", "_count");

    /** One series: the name of a figure, and its labels. */
    public record Series(String name, Map<String, String> labels) {}

    private final boolean openMetrics;
    private final Map<Series, Double> values = new LinkedHashMap<>();
    private final Set<String> families = new HashSet<>();
    private String family;
    private String type;
    private boolean helped;
    private boolean sampled;
    private double bound = Double.POSITIVE_INFINITY;
    private double inBucket;

    private ExpositionParser(boolean openMetrics) {
        this.openMetrics = openMetrics;
    }

    /** Parses a whole text. */
    public static Map<Series, Double> parse(String text, boolean openMetrics) {
        ExpositionParser parser = new ExpositionParser(openMetrics);
        require(text.endsWith("\n"), "the last line ends with a newline", text);
        String[] lines = text.split("\n");
        int end = lines.length;
        if (openMetrics) {
            end--;
            require(lines[end].equals("# EOF"), "the end is marked", lines[end]);
        }
        for (int line = 0; line < end; line++) {
            parser.line(lines[line]);
        }
        parser.endFamily();
        return parser.values;
    }

    private void line(String line) {
        if (!line.startsWith("#")) {
            sample(line);
            return;
        }
        Matcher description = DESCRIPTION.matcher(line);
        if (description.matches()) {
            describe(description.group(1), description.group(2), description.group(3), line);
        } else {
            require(!openMetrics && line.startsWith("# "), "OpenMetrics has no comments", line);
        }
    }

    private void describe(String what, String name, String text, String line) {
        if (what.equals("HELP")) {
            endFamily();
            require(families.add(name), "a family is in one piece", line);
            family = name;
            helped = true;
            type = null;
            sampled = false;
            return;
        }
        require(name.equals(family) && !sampled, "a family is described before its samples", line);
        if (what.equals("TYPE")) {
            require(Set.of("counter", "gauge", "histogram").contains(text), "the type is known", line);
            type = text;
        } else {
            require(openMetrics && name.endsWith("_" + text), "the name ends with the unit", line);
        }
    }

    private void endFamily() {
        require(family == null || sampled, "a family has samples", family);
    }

    private void sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        require(sample.matches(), "a sample is a name, labels and a value", line);
        require(helped && type != null, "a sample has HELP and TYPE", line);
        boolean counter = type.equals("counter");
        String name = sample.group(1);
        boolean histogram = type.equals("histogram");
        require(
                histogram
                        ? name.startsWith(family) && PARTS.contains(name.substring(family.length()))
                        : name.equals(openMetrics && counter ? family + "_total" : family),
                "a sample is of its family",
                line);
        require(counter == name.endsWith("_total"), "counters and only they end in _total", line);
        double value = Double.parseDouble(sample.group(3));
        require(!counter && !histogram || value >= 0 && Double.isFinite(value), "a counter is not negative", line);
        Series series = new Series(name, labels(sample.group(2), line));
        require(values.put(series, value) == null, "no duplicates", line);
        if (histogram) {
            bucket(series, value, line);
        }
        sampled = true;
    }

    /** The buckets of a histogram come in the order of their bounds, the last one is all of them, and then sum and count. */
    private void bucket(Series series, double value, String line) {
        String le = series.labels().get("le");
        require((le != null) == series.name().endsWith("_bucket"), "buckets and only they have a bound", line);
        if (le != null) {
            double next = le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
            boolean first = bound == Double.POSITIVE_INFINITY;
            require(first || next > bound && value >= inBucket, "bounds and counts grow", line);
            bound = next;
            inBucket = value;
        } else {
            require(bound == Double.POSITIVE_INFINITY, "the last bound is +Inf", line);
            require(!series.name().endsWith("_count") || value == inBucket, "the last bucket has all", line);
        }
    }

    private static Map<String, String> labels(String braces, String line) {
        Map<String, String> labels = new TreeMap<>();
        if (braces == null) {
            return labels;
        }
        String rest = braces.substring(1, braces.length() - 1);
        Matcher label = LABEL.matcher(rest);
        int at = 0;
        while (at < rest.length()) {
            require(label.find(at) && label.start() == at, "a label is a name and a quoted value", line);
            require(labels.put(label.group(1), unescaped(label.group(2))) == null, "a label occurs once", line);
            at = label.end();
        }
        return labels;
    }

    private static String unescaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            if (c == '\\') {
                at++;
                c = value.charAt(at) == 'n' ? '\n' : value.charAt(at);
            }
            text.append(c);
        }
        return text.toString();
    }

    private static void require(boolean fulfilled, String rule, String line) {
        if (!fulfilled) {
            throw new AssertionError(rule + ": " + line);
        }
    }
}
