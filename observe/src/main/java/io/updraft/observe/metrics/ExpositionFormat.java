package io.updraft.observe.metrics;

import java.util.Locale;

/** A text format of figures. */
public enum ExpositionFormat {
    /** The text format of Prometheus, version 0.0.4. */
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    /** OpenMetrics 1.0: counters are named without {@code _total} in their description, and the end is marked. */
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private static final String NO_QUALITY = "1";

    private final String contentType;

    ExpositionFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /** {@return the format that a client prefers; {@link #PROMETHEUS} without a preference} */
    public static ExpositionFormat accepted(String accept) {
        double openMetrics = 0;
        double text = 0;
        for (String range : accept.toLowerCase(Locale.ROOT).split(",")) {
            // With a limit of -1, a range of semicolons has a first part, too.
            String type = range.split(";", -1)[0].strip();
            if (type.equals("application/openmetrics-text")) {
                openMetrics = Math.max(openMetrics, quality(range));
            } else if (type.equals("text/plain") || type.equals("text/*")) {
                text = Math.max(text, quality(range));
            }
        }
        return openMetrics > 0 && openMetrics >= text ? OPENMETRICS : PROMETHEUS;
    }

    private static double quality(String range) {
        String quality = NO_QUALITY;
        for (String parameter : range.split(";")) {
            String[] parts = parameter.strip().split("=", 2);
            quality = parts.length == 2 && parts[0].strip().equals("q") ? parts[1].strip() : quality;
        }
        try {
            return Double.parseDouble(quality);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
