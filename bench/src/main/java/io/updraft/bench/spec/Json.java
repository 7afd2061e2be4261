package io.updraft.bench.spec;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads and writes JSON on one line: maps, lists, strings, numbers (as {@code Long} or {@code Double}), booleans, null, and
 * records as objects. A child runs with Storm's or Updraft's class path, so this class depends on no library of either.
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
     * @param value a map, record, list, string, enum constant, number, boolean or null, to any depth
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

    /** {@return the record that {@link #write} wrote; throws {@link IllegalArgumentException} if the text is not one} */
    public static <T extends Record> T read(String text, Class<T> type) {
        return record(readObject(text), type);
    }

    /** {@return the record with these members} */
    public static <T extends Record> T record(Map<String, Object> members, Class<T> type) {
        List<Class<?>> types = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Object member = members.get(component.getName());
            if (member == null) {
                throw new IllegalArgumentException("no \"" + component.getName() + "\" in " + members);
            }
            types.add(component.getType());
            values.add(typed(member, component.getType()));
        }
        try {
            return type.getDeclaredConstructor(types.toArray(Class<?>[]::new)).newInstance(values.toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " cannot be created from " + members, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Object typed(Object member, Class<?> type) {
        if (type == int.class) {
            return Math.toIntExact((Long) member);
        } else if (type == double.class) {
            return ((Number) member).doubleValue();
        } else if (type.isRecord()) {
            return record((Map<String, Object>) member, type.asSubclass(Record.class));
        } else if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(member))
                    .findFirst()
                    .orElseThrow();
        }
        return member;
    }

    /** {@return the components of a record, in their order} */
    public static Map<String, Object> members(Record record) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true); // for records of other packages
                members.put(component.getName(), accessor.invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(record.toString(), e);
            }
        }
        return members;
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> map) {
            appendObject(out, map);
        } else if (value instanceof Record record) {
            appendObject(out, members(record));
        } else if (value instanceof Enum<?> constant) {
            appendString(out, constant.name());
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
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private Object literal() {
        int from = at;
        while (at < text.length() && ",}] \n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> number(word);
        };
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
