package io.updraft.timeseries.decode;

import java.util.ArrayList;
import java.util.List;

/**
 * The path of a value in a record.
 *
 * @param root the start of the steps
 * @param steps names (String), indexes (Integer) or {@link #ALL}
 */
record JsonPath(Root root, List<Object> steps) {

    static final Object ALL = new Object();

    /** The start of the steps: the record or an exploded element. KEY has no steps: it is the name of an exploded member. */
    enum Root {
        RECORD,
        ELEMENT,
        KEY
    }

    /**
     * Parses {@code a.b[0]["c"].d}, {@code @.a}, {@code @} or {@code @key}.
     *
     * @throws IllegalArgumentException when the path is invalid
     */
    static JsonPath parse(String text) {
        return new PathReader(text).path();
    }

    /** Returns the number of steps before the one to all elements; -1 if there is none. */
    int all() {
        return steps.indexOf(ALL);
    }

    boolean startsWith(JsonPath path) {
        return steps.size() >= path.steps.size()
                && steps.subList(0, path.steps.size()).equals(path.steps);
    }

    private static final class PathReader {
        private final String text;
        private final List<Object> steps = new ArrayList<>();
        private int at;

        PathReader(String text) {
            this.text = text;
        }

        JsonPath path() {
            if (text.equals("@key")) {
                return new JsonPath(Root.KEY, List.of());
            }
            Root root = text.startsWith("@") ? Root.ELEMENT : Root.RECORD;
            if (root == Root.ELEMENT) {
                at = 1;
            } else if (!text.startsWith("[")) {
                name();
            }
            while (at < text.length()) {
                step();
            }
            return new JsonPath(root, List.copyOf(steps));
        }

        private void step() {
            char c = text.charAt(at++);
            if (c == '.') {
                name();
            } else if (c == '[') {
                bracket();
            } else {
                throw wrong("expected . or [");
            }
        }

        private void name() {
            int from = at;
            while (at < text.length() && ".[]\"".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            if (at == from) {
                throw wrong("expected a name");
            }
            steps.add(text.substring(from, at));
        }

        private void bracket() {
            char first = at < text.length() ? text.charAt(at) : 0;
            boolean quoted = first == '"' || first == '\'';
            int end = text.indexOf(quoted ? first + "]" : "]", quoted ? at + 1 : at);
            if (end < 0) {
                throw wrong(quoted ? "expected " + first + "]" : "expected ]");
            }
            steps.add(quoted ? text.substring(at + 1, end) : index(text.substring(at, end)));
            at = end + (quoted ? 2 : 1);
        }

        private Object index(String digits) {
            if (digits.equals("*")) {
                return ALL;
            }
            if (!digits.matches("[0-9]{1,9}")) {
                throw wrong("expected *, an index or a name in quotes");
            }
            return Integer.valueOf(digits);
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException(
                    "path " + text + " is invalid: " + what + " at character " + (Math.min(at, text.length()) + 1));
        }
    }
}
