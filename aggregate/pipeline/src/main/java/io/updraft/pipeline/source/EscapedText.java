package io.updraft.pipeline.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of files as text on one line: control characters, line separators and backslashes are escaped as in Java. */
final class EscapedText {

    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    private EscapedText() {}

    static String escape(String name) {
        if (name.chars().noneMatch(EscapedText::isUnsafe)) {
            return name;
        }
        StringBuilder text = new StringBuilder();
        name.chars().forEach(c -> text.append(isUnsafe(c) ? "\\u%04x".formatted(c) : String.valueOf((char) c)));
        return text.toString();
    }

    private static boolean isUnsafe(int c) {
        return Character.isISOControl(c) || c == '\\' || c == 0x2028 || c == 0x2029;
    }

    static String unescape(String text) {
        return ESCAPE.matcher(text).replaceAll(match -> {
            char escaped = (char) Integer.parseInt(match.group(1), 16);
            return Matcher.quoteReplacement(String.valueOf(escaped));
        });
    }
}
