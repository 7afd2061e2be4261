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

    /** Parses {@code a.b[0]["c"].d}, {@code @.a}, {@code @} or {@code @key}. */
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

    /** Checks paths. Finds the exploded path if only the columns name it. Returns the exploded path, or null. */
    static String check(String explode, List<DecodedColumn> columns) {
        String exploded = explode != null ? explode : impliedExplode(columns);
        JsonPath path = exploded == null ? null : parseExplode(exploded);
        for (DecodedColumn column : columns) {
            checkColumn(column, path, exploded);
        }
        return exploded;
    }

    /** Returns the path of a column. The path of a field of an element is relative to the element. */
    static JsonPath resolve(DecodedColumn column) {
        JsonPath path = parse(column.path());
        int all = path.all();
        return all < 0 ? path : new JsonPath(Root.ELEMENT, path.steps.subList(all + 1, path.steps.size()));
    }

    private static String impliedExplode(List<DecodedColumn> columns) {
        for (DecodedColumn column : columns) {
            int star = column.path().indexOf("[*]");
            if (star >= 0 && parse(column.path()).all() >= 0) {
                return star == 0 ? "@" : column.path().substring(0, star);
            }
        }
        return null;
    }

    static JsonPath parseExplode(String text) {
        // The record itself is an array: the path has no steps, and is written like an element.
        JsonPath path = text.equals("@") ? new JsonPath(Root.RECORD, List.of()) : parse(text);
        if (path.root() != Root.RECORD || path.all() >= 0) {
            throw new IllegalArgumentException(
                    "explode " + text + " must be the path of an array or object in the record");
        }
        return path;
    }

    private static void checkColumn(DecodedColumn column, JsonPath exploded, String explode) {
        JsonPath path = parse(column.path());
        if (path.root() != Root.RECORD && exploded == null) {
            throw wrong(column, "belongs to an element, but nothing is exploded");
        }
        int all = path.all();
        if (all >= 0 && (path.root() != Root.RECORD || path.steps().lastIndexOf(ALL) != all)) {
            throw wrong(column, "has more than one [*]: only one array of a record can be exploded");
        }
        if (all >= 0 && (all != exploded.steps().size() || !path.startsWith(exploded))) {
            throw wrong(column, "explodes something other than " + explode);
        }
        if (all < 0 && path.root() == Root.RECORD && exploded != null && path.startsWith(exploded)) {
            throw wrong(column, "is inside the exploded value: begin it with @ for a field of an element");
        }
    }

    private static IllegalArgumentException wrong(DecodedColumn column, String what) {
        return new IllegalArgumentException("path " + column.path() + " of column " + column.name() + " " + what);
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
