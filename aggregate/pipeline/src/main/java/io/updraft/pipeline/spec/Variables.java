package io.updraft.pipeline.spec;

import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlNode;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of the environment, which replace <code>${NAME}</code> and <code>${NAME:default}</code> in scalars. Two dollars stand for
 * one: <code>$${NAME}</code> becomes <code>${NAME}</code>.
 */
record Variables(Map<String, String> environment, Mistakes mistakes) {

    private static final Pattern VARIABLE = Pattern.compile("\\$?\\$\\{([^}:]*)(?::([^}]*))?\\}");

    String replace(YamlNode scalar) {
        return VARIABLE.matcher(scalar.text())
                .replaceAll(variable -> Matcher.quoteReplacement(value(variable, scalar)));
    }

    private String value(MatchResult variable, YamlNode where) {
        if (variable.group().startsWith("$$")) {
            return variable.group().substring(1);
        }
        String value = environment.getOrDefault(variable.group(1), variable.group(2));
        if (value == null) {
            mistakes.add(
                    where,
                    "the environment has no variable " + variable.group(1) + "; set it, or give a default: ${"
                            + variable.group(1) + ":value}");
        }
        return value == null ? "" : value;
    }
}
