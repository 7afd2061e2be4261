package io.updraft.base.json;

import io.updraft.base.text.VisibleText;
import java.util.Map;
import java.util.Optional;

/** Writes values to a text. */
record JsonWriter(StringBuilder out) {
    void value(Object value) {
        if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Record record) {
            object(JsonRecords.members(record));
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null));
        } else if (value instanceof Enum<?> constant) {
            string(constant.name());
        } else if (value instanceof Iterable<?> items) {
            array(items);
        } else if (value instanceof byte[] bytes) {
            bytes(bytes);
        } else if (value instanceof Double number && !Double.isFinite(number)
                || value instanceof Float single && !Float.isFinite(single)) {
            out.append("null");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            string(value.toString());
        }
    }

    private void object(Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            out.append(separator);
            string(String.valueOf(member.getKey()));
            out.append(':');
            value(member.getValue());
            separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private void array(Iterable<?> items) {
        out.append('[');
        String separator = "";
        for (Object item : items) {
            out.append(separator);
            value(item);
            separator = ",";
        }
        out.append(']');
    }

    private void bytes(byte[] bytes) {
        out.append('[');
        for (int i = 0; i < bytes.length; i++) {
            out.append(i == 0 ? "" : ",").append(bytes[i]);
        }
        out.append(']');
    }

    private void string(String text) {
        out.append('"');
        text.codePoints().forEach(this::character);
        out.append('"');
    }

    /** Characters without a shape are escaped: a terminal obeys some of them. */
    private void character(int c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append((char) c);
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            default -> {
                if (VisibleText.isHidden(c)) {
                    out.append(VisibleText.escape(c));
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }
}
