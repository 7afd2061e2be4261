package io.updraft.pipeline.line;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Splits one record of CSV as RFC 4180 defines it. For headers and for guessing types; not optimised for speed. */
public final class CsvLine {

    private CsvLine() {}

    /** Returns the fields of a record. The record may end with CR and LF and begin with a byte order mark. */
    public static List<String> split(byte[] bytes, int from, int to, char delimiter, char quote) {
        List<String> fields = new ArrayList<>();
        split(text(bytes, from, to), delimiter, quote, fields);
        return fields;
    }

    /** Returns whether a quote ends each field of a record that begins with one. */
    static boolean isClosed(byte[] bytes, int to, char delimiter, char quote) {
        return split(text(bytes, 0, to), delimiter, quote, new ArrayList<>());
    }

    private static String text(byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        text = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static boolean split(String text, char delimiter, char quote, List<String> fields) {
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        boolean begun = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == quote) {
                boolean doubled = i + 1 < text.length() && text.charAt(i + 1) == quote;
                quoted = doubled;
                if (doubled) {
                    field.append(quote);
                    i++;
                }
            } else if (!quoted && c == quote && !begun) {
                quoted = true;
            } else if (!quoted && c == delimiter) {
                fields.add(field.toString());
                field.setLength(0);
                begun = false;
                continue;
            } else {
                field.append(c);
            }
            begun = true;
        }
        fields.add(field.toString());
        return !quoted;
    }
}
