package io.updraft.pipeline.spec;

import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:default}</code> with values of the environment. Two dollars stand for one:
 * <code>$${NAME}</code> becomes <code>${NAME}</code>.
 */
final class EnvironmentSubstitution {

    private static final Pattern VARIABLE = Pattern.compile("\\$?\\$\\{([^}:]*)(?::([^}]*))?\\}");

    private final Map<String, String> environment;

    EnvironmentSubstitution(Map<String, String> environment) {
        this.environment = environment;
    }

    String apply(String text, Consumer<String> mistakes) {
        return VARIABLE.matcher(text).replaceAll(variable -> Matcher.quoteReplacement(value(variable, mistakes)));
    }

    private String value(MatchResult variable, Consumer<String> mistakes) {
        if (variable.group().startsWith("$$")) {
            return variable.group().substring(1);
        }
        String value = environment.get(variable.group(1));
        if (value == null && variable.group(2) == null) {
            mistakes.accept("the environment has no variable " + variable.group(1) + "; set it, or give a default: ${"
                    + variable.group(1) + ":value}");
        }
        return value != null ? value : variable.group(2) != null ? variable.group(2) : "";
    }
}
