package io.updraft.pipeline.spec;

import io.updraft.timeseries.expression.Expressions;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes in SQL what versions before 0.3 wrote in their own way: one function of one field, whose name might have any character, and
 * functions that have other names in SQL.
 */
final class OldMeasures {

    private static final Map<String, String> NAMES =
            Map.of("quantile", "approx_quantile", "distinct", "approx_count_distinct", "stddev", "stddev_pop");

    private static final Pattern CALL = Pattern.compile(
            "\\s*(count|sum|min|max|avg|last|stddev|distinct|quantile)\\s*\\(\\s*(`[^`]*`|.*?)\\s*(,[^,()]*)?\\)\\s*",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern FUNCTION =
            Pattern.compile("('[^']*'|\"[^\"]*\")|\\b(quantile|distinct|stddev)\\s*(?=\\()", Pattern.CASE_INSENSITIVE);

    private static final Pattern WORDS =
            Pattern.compile("(?!(?i:distinct|all|not|case) )(?!.*(?i: order by ))[\\w.]+( +([\\w.]+|\\([^()]*\\)))+");

    /** Names with signs that SQL does not have. */
    private static final Pattern SIGNS = Pattern.compile("[\\w.]*[\\[@$#].*");

    private OldMeasures() {}

    /**
     * Returns a measure in SQL; as it is if nothing in it is old.
     *
     * @param isField whether there is a field of a name
     */
    static String renewed(String text, Predicate<String> isField) {
        Matcher call = CALL.matcher(text);
        String named = text;
        if (call.matches()) {
            String field = call.group(2);
            boolean isQuoted = field.startsWith("`") && field.endsWith("`") && field.length() > 1;
            String name = isQuoted ? field.substring(1, field.length() - 1) : field;
            boolean isOld = isQuoted || isOldName(name, isField);
            String fraction = call.group(3) == null ? "" : call.group(3);
            named = isOld ? call.group(1) + "(" + Expressions.written(name) + fraction + ")" : text;
        }
        return FUNCTION.matcher(named).replaceAll(found -> Matcher.quoteReplacement(renewed(found.group())));
    }

    private static boolean isOldName(String name, Predicate<String> isField) {
        boolean isPlain = name.isEmpty()
                || name.startsWith("\"")
                || Expressions.written(name).equals(name);
        return !isPlain
                && (isField.test(name)
                        || WORDS.matcher(name).matches()
                        || SIGNS.matcher(name).matches());
    }

    private static String renewed(String function) {
        String name = NAMES.get(function.strip().toLowerCase(Locale.ROOT));
        return name == null ? function : name;
    }
}
