package io.updraft.timeseries.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Generates random JSON values, and prints them with random white space and escapes. */
final class RandomJson {

    private static final String[] NAMES = {
        "a", "bb", "name_of_8", "é", "x\"y", "tab\t", "a.b", "\uD83D\uDE00", "", "longer name than 16 bytes"
    };
    private static final String[] SPACES = {"", "", "", " ", "\t", "\r", "  "};

    private final Random random;

    RandomJson(Random random) {
        this.random = random;
    }

    Map<String, Object> object(int depth) {
        Map<String, Object> members = new TreeMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            members.put(NAMES[random.nextInt(NAMES.length)], value(depth - 1));
        }
        return members;
    }

    Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> Double.longBitsToDouble(random.nextLong() & ~(1L << 62));
            case 4, 5 -> text();
            case 6 -> object(depth);
            default -> array(depth);
        };
    }

    private List<Object> array(int depth) {
        List<Object> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            elements.add(value(depth - 1));
        }
        return elements;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(30); i > 0; i--) {
            int point = switch (random.nextInt(20)) {
                case 0 -> random.nextInt(0x20);
                case 1 -> "\"\\/".charAt(random.nextInt(3));
                case 2 -> 0x80 + random.nextInt(0x780);
                case 3 -> 0xe000 + random.nextInt(0x1fff);
                case 4 -> 0x10000 + random.nextInt(0x100000);
                default -> ' ' + random.nextInt(0x5f);
            };
            text.appendCodePoint(point);
        }
        return text.toString();
    }

    String print(Object value) {
        StringBuilder out = new StringBuilder();
        print(value, out);
        return out.toString();
    }

    private void print(Object value, StringBuilder out) {
        space(out);
        if (value instanceof String text) {
            quoted(text, out);
        } else if (value instanceof List<?> elements) {
            out.append('[');
            String comma = "";
            for (Object element : elements) {
                out.append(comma);
                print(element, out);
                comma = ",";
            }
            space(out);
            out.append(']');
        } else if (value instanceof Map<?, ?> members) {
            out.append('{');
            String comma = "";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(comma);
                space(out);
                quoted((String) member.getKey(), out);
                space(out);
                out.append(':');
                print(member.getValue(), out);
                comma = ",";
            }
            space(out);
            out.append('}');
        } else {
            out.append(value);
        }
        space(out);
    }

    private void space(StringBuilder out) {
        out.append(SPACES[random.nextInt(SPACES.length)]);
    }

    private void quoted(String text, StringBuilder out) {
        out.append('"');
        text.codePoints().forEach(point -> character(point, out));
        out.append('"');
    }

    private void character(int point, StringBuilder out) {
        int shortForm = "\"\\/\b\f\n\r\t".indexOf(point);
        boolean mustEscape = point < ' ' || point == '"' || point == '\\';
        if (shortForm >= 0 && random.nextBoolean()) {
            out.append('\\').append("\"\\/bfnrt".charAt(shortForm));
        } else if (mustEscape || random.nextInt(10) == 0) {
            for (char unit : Character.toChars(point)) {
                String hex = Integer.toHexString(0x10000 | unit).substring(1);
                out.append("\\u").append(random.nextBoolean() ? hex : hex.toUpperCase(Locale.ROOT));
            }
        } else {
            out.appendCodePoint(point);
        }
    }
}
