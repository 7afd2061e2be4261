package io.updraft.base.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one JSON document by recursive descent (RFC 8259, with a limit of depth). */
final class JsonReader {

    /** Far more than any description has, and far less than a stack of 512 KiB takes. */
    private static final int MAX_DEPTH = 200;

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?");
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    Object document() {
        Object value = value();
        skipSpace();
        if (at != text.length()) {
            throw unexpected();
        }
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::array);
            case '"' -> string();
            default -> literal();
        };
    }

    private <T> T nested(Supplier<T> container) {
        if (++depth > MAX_DEPTH) {
            throw unexpected();
        }
        at++;
        T value = container.get();
        depth--;
        return value;
    }

    private JsonObject object() {
        JsonObject members = new JsonObject();
        boolean first = true;
        while (!closes('}', first)) {
            skipSpace();
            String key = string();
            skipSpace();
            expect(':');
            members.put(key, value());
            first = false;
        }
        return members;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
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
            char c = text.charAt(at);
            if (c < ' ') {
                throw unexpected();
            }
            at++;
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> codeUnit();
            default -> {
                at--;
                throw unexpected();
            }
        };
    }

    private char codeUnit() {
        int unit = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            int digit = Character.digit(peek(), HEX);
            if (digit < 0) {
                throw unexpected();
            }
            unit = unit * HEX + digit;
            at++;
        }
        return (char) unit;
    }

    private Object literal() {
        int start = at;
        while (at < text.length() && ",}] \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> number(word, start);
        };
    }

    private Object number(String word, int start) {
        Matcher parts = NUMBER.matcher(word);
        if (!parts.matches()) {
            at = start;
            throw unexpected();
        }
        boolean whole = parts.group(2) == null && parts.group(3) == null;
        try {
            return whole ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
        } catch (NumberFormatException beyondLong) {
            return Double.valueOf(word);
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
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

    private JsonException unexpected() {
        return new JsonException("not valid JSON");
    }
}
