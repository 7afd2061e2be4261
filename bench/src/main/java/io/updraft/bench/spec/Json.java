package io.updraft.bench.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON on one line: maps, lists, strings, numbers (as {@code Long} or {@code Double}), booleans and null. A
 * child runs with Storm's or Updraft's class path, so this class depends on no library of either.
 */
public final class Json {

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Writes a value.
     *
     * @param value a map, list, string, number, boolean or null, to any depth
     * @return the value's JSON, on one line
     */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    /**
     * Reads an object.
     *
     * @param text the object's JSON
     * @return the object's members, in their order
     * @throws IllegalArgumentException when the text is not one JSON object
     */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> readObject(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.at != text.length() || !(value instanceof Map)) {
            throw json.unexpected();
        }
        return (Map<String, Object>) value;
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> map) {
            appendObject(out, map);
        } else if (value instanceof Iterable<?> items) {
            appendArray(out, items);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            out.append("null");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            appendString(out, value.toString());
        }
    }

    private static void appendObject(StringBuilder out, Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            out.append(separator);
            appendString(out, member.getKey().toString());
            append(out.append(':'), member.getValue());
            separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private static void appendArray(StringBuilder out, Iterable<?> items) {
        out.append('[');
        String separator = "";
        for (Object item : items) {
            append(out.append(separator), item);
            separator = ",";
        }
        out.append(']');
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value() {
        skipSpace();
        char next = peek();
        if (next == '{') {
            return object();
        }
        if (next == '[') {
            return array();
        }
        return next == '"' ? string() : literal();
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (!closes('}', members.isEmpty())) {
            skipSpace();
            String key = string();
            skipSpace();
            expect(':');
            members.put(key, value());
        }
        return members;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        at++;
        while (!closes(']', items.isEmpty())) {
            items.add(value());
        }
        return items;
    }

    private boolean closes(char end, boolean first) {
        skipSpace();
        if (peek() == end) {
            at++;
            return true;
        }
        if (!first) {
            expect(',');
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                return c;
        }
    }

    private Object literal() {
        int from = at;
        while (at < text.length() && ",}] \n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        switch (word) {
            case "null":
                return null;
            case "true":
                return true;
            case "false":
                return false;
            default:
                return number(word);
        }
    }

    private Object number(String word) {
        try {
            if (word.matches("-?\\d+")) {
                return Long.parseLong(word);
            }
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw unexpected();
        }
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw unexpected();
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("not JSON at character " + at + ": " + text);
    }
}
