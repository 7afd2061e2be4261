package io.updraft.cli;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations: {@code 500ms}, {@code 60s}, {@code 1.5m}, {@code 2h}. A number without a unit is in seconds. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)?");
    private static final Map<String, Double> NANOS = Map.of("ms", 1e6, "m", 60e9, "h", 3600e9);

    @Override
    public Duration convert(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a duration; write a number and a unit: 500ms, 60s, 5m, 2h");
        }
        return Duration.ofNanos(
                Math.round(Double.parseDouble(form.group(1)) * NANOS.getOrDefault(String.valueOf(form.group(2)), 1e9)));
    }
}
