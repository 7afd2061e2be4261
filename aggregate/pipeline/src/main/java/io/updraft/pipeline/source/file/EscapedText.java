package io.updraft.pipeline.source.file;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of files as text on one line: control characters, line separators and backslashes are escaped as in Java. */
final class EscapedText {

    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\u2028\\u2029\\\\]");
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    private EscapedText() {}

    static String escape(String name) {
        return UNSAFE.matcher(name)
                .replaceAll(match -> "\\\\u%04x".formatted((int) match.group().charAt(0)));
    }

    static String unescape(String text) {
        return ESCAPE.matcher(text).replaceAll(match -> {
            char escaped = (char) Integer.parseInt(match.group(1), 16);
            return Matcher.quoteReplacement(String.valueOf(escaped));
        });
    }
}
