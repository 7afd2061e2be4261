package io.updraft.observe.metrics;

import io.updraft.engine.snapshot.LatencyHistogram;
import java.math.BigDecimal;
import java.util.List;

/** Writes figures in a text format, family by family. A family without a sample is left out. One thread uses it. */
public final class MetricsText {
    /** The kind of a figure. */
    enum Kind {
        /** Only grows; begins at zero again when the process or the topology starts again. */
        COUNTER("counter"),
        /** Any value. */
        GAUGE("gauge"),
        /** Counters of values by size, and their sum. */
        HISTOGRAM("histogram");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private static final String TOTAL = "_total";
    private static final double MAX_EXACT = 1L << 53;

    /** The bounds of a histogram in seconds, as OpenMetrics writes numbers: formats of two scrapes must not make two series. */
    private static final List<String> BOUNDS = LatencyHistogram.BOUNDS_NANOS.stream()
            .map(nanos -> number(BigDecimal.valueOf(nanos, 9).stripTrailingZeros()))
            .toList();

    private final StringBuilder text = new StringBuilder(4_096);
    private final boolean openMetrics;

    /** The name of the samples. */
    private String sampleName;

    /** The description of the family; null once it is written. */
    private String description;

    private MetricsText(ExpositionFormat format) {
        openMetrics = format == ExpositionFormat.OPENMETRICS;
    }

    /** {@return the figures of a source and of this process} */
    public static String of(MetricsSource source, ExpositionFormat format) {
        MetricsText text = new MetricsText(format);
        source.write(text);
        JvmFigures.write(text);
        return text.end();
    }

    /** Begins a family. The name of a counter is given without {@code _total}; a name ends with its unit. The help has one line. */
    MetricsText family(Kind kind, String name, String help) {
        sampleName = kind == Kind.COUNTER ? name + TOTAL : name;
        String described = openMetrics ? name : sampleName;
        String unit = name.substring(name.lastIndexOf('_') + 1);
        boolean hasUnit = openMetrics && (unit.equals("seconds") || unit.equals("bytes"));
        description = "# HELP " + described + " " + help + "\n# TYPE " + described + " " + kind.word + "\n"
                + (hasUnit ? "# UNIT " + described + " " + unit + "\n" : "");
        return this;
    }

    /** Adds a sample to the family; labels are names and values by turns. */
    MetricsText sample(double value, String... labels) {
        describe();
        text.append(sampleName);
        if (labels.length > 0) {
            text.append('{');
            labels(labels);
            text.append('}');
        }
        value(value);
        return this;
    }

    /** Adds the samples of a histogram to the family; labels are names and values by turns, at least one. */
    MetricsText histogram(LatencyHistogram all, String... labels) {
        describe();
        int start = text.length();
        labels(labels);
        String common = text.substring(start);
        text.setLength(start);
        long count = 0;
        for (int bucket = 0; bucket <= BOUNDS.size(); bucket++) {
            count += all.count(bucket);
            String bound = bucket < BOUNDS.size() ? BOUNDS.get(bucket) : "+Inf";
            text.append(sampleName)
                    .append("_bucket{")
                    .append(common)
                    .append(",le=\"")
                    .append(bound)
                    .append("\"}");
            value(count);
        }
        text.append(sampleName).append("_sum{").append(common).append('}');
        value(all.nanos() / RunMetrics.NANOS_PER_SECOND);
        text.append(sampleName).append("_count{").append(common).append('}');
        value(count);
        return this;
    }

    /** Writes a small number as {@code 1e-06}, from a ten thousandth on as {@code 0.0001}, and a whole one as {@code 1.0}. */
    private static String number(BigDecimal value) {
        if (value.scale() <= 0) {
            return value.toPlainString() + ".0";
        }
        int exponent = value.scale() - value.precision() + 1;
        return exponent > 4
                ? value.unscaledValue() + "e-" + (exponent < 10 ? "0" : "") + exponent
                : value.toPlainString();
    }

    private void describe() {
        if (description != null) {
            text.append(description);
            description = null;
        }
    }

    private void labels(String... labels) {
        for (int label = 0; label < labels.length; label += 2) {
            text.append(label == 0 ? "" : ",").append(labels[label]).append("=\"");
            escape(labels[label + 1]);
            text.append('"');
        }
    }

    private void value(double value) {
        text.append(' ');
        if (value == Math.rint(value) && Math.abs(value) <= MAX_EXACT) {
            text.append((long) value);
        } else {
            text.append(value);
        }
        text.append('\n');
    }

    private void escape(String value) {
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            switch (c) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(c);
            }
        }
    }

    /** Adds a line for people. OpenMetrics has no comments. */
    void comment(String line) {
        if (!openMetrics) {
            text.append("# ").append(line).append('\n');
        }
    }

    /** {@return the whole text} */
    public String end() {
        return openMetrics ? text + "# EOF\n" : text.toString();
    }
}
