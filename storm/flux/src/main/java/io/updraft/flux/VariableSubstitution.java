package io.updraft.flux;

import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.Position;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces variables <code>${...}</code> before a description is parsed. A variable names a property, an element of a property
 * that is a list (<code>${hosts[0]}</code>), or, if enabled, an environment variable (<code>${ENV-NAME}</code>). A variable
 * without a value stays unchanged and causes a warning, as in Flux.
 */
record VariableSubstitution(Properties properties, Map<String, String> environment, boolean fromEnvironment) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");
    private static final Pattern ELEMENT = Pattern.compile("(.+)\\[(\\d+)]");
    private static final String ENVIRONMENT = "ENV-";

    String apply(String file, String text, Mistakes mistakes) {
        StringBuilder result = new StringBuilder();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            if (number++ > 0) {
                result.append('\n');
            }
            result.append(line.strip().startsWith("#") ? line : applyTo(line, new Position(file, number, 1), mistakes));
        }
        return result.toString();
    }

    private String applyTo(String line, Position where, Mistakes mistakes) {
        if (!line.contains("${")) {
            return line;
        }
        Matcher variable = VARIABLE.matcher(line);
        StringBuilder result = new StringBuilder();
        while (variable.find()) {
            Optional<String> value = value(variable.group(1));
            if (value.isEmpty()) {
                mistakes.warn(where, variable.group() + " is not replaced: " + why(variable.group(1)));
            }
            variable.appendReplacement(result, Matcher.quoteReplacement(value.orElse(variable.group())));
        }
        return variable.appendTail(result).toString();
    }

    private Optional<String> value(String name) {
        if (fromEnvironment && name.startsWith(ENVIRONMENT)) {
            return Optional.ofNullable(environment.get(name.substring(ENVIRONMENT.length())));
        }
        Matcher element = ELEMENT.matcher(name);
        if (element.matches() && properties.getProperty(element.group(1)) != null) {
            return element(properties.getProperty(element.group(1)), element.group(2));
        }
        return Optional.ofNullable(properties.getProperty(name));
    }

    /** Returns an element of a list such as {@code ["a", "b"]}. */
    private static Optional<String> element(String list, String index) {
        String inner = list.strip();
        if (!inner.startsWith("[") || !inner.endsWith("]")) {
            return Optional.empty();
        }
        String[] elements = inner.substring(1, inner.length() - 1).split(",");
        return index.length() < 9 && Integer.parseInt(index) < elements.length
                ? Optional.of(unquoted(elements[Integer.parseInt(index)].strip()))
                : Optional.empty();
    }

    private static String unquoted(String text) {
        boolean quoted = text.length() > 1
                && (text.startsWith("\"") && text.endsWith("\"") || text.startsWith("'") && text.endsWith("'"));
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    private String why(String name) {
        if (name.startsWith(ENVIRONMENT)) {
            return fromEnvironment
                    ? "there is no environment variable " + name.substring(ENVIRONMENT.length())
                    : "environment variables need --env-filter";
        }
        return properties.isEmpty() ? "there are no properties (--filter FILE)" : "there is no such property";
    }
}
