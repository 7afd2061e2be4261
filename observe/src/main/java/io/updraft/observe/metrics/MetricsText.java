package io.updraft.observe.metrics;

/** Writes figures in a text format, family by family. A family without a sample is left out. One thread uses it. */
public final class MetricsText {
    /** The kind of a figure. */
    enum Kind {
        /** Only grows; begins at zero again when the process or the topology starts again. */
        COUNTER("counter"),
        /** Any value. */
        GAUGE("gauge");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private static final String TOTAL = "_total";
    private static final double MAX_EXACT = 1L << 53;

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
        if (description != null) {
            text.append(description);
            description = null;
        }
        text.append(sampleName);
        for (int label = 0; label < labels.length; label += 2) {
            text.append(label == 0 ? '{' : ',').append(labels[label]).append("=\"");
            escape(labels[label + 1]);
            text.append('"');
        }
        text.append(labels.length == 0 ? " " : "} ");
        if (value == Math.rint(value) && Math.abs(value) <= MAX_EXACT) {
            text.append((long) value);
        } else {
            text.append(value);
        }
        text.append('\n');
        return this;
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
