package io.updraft.timeseries.decode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The path of a value in a record. A dot may separate two names or be part of one, so a path has several readings.
 *
 * @param root the start of the steps
 * @param steps names (String), indexes (Integer) or {@link #ALL}
 * @param dotted the indexes of the names that a dot separates from the name before them
 */
record JsonPath(Root root, List<Object> steps, Set<Integer> dotted) {

    static final Object ALL = new Object();
    /** With more dots, the number of readings would be too large: a path is then one name, or a name for each dot. */
    private static final int MAX_DOTS = 6;

    /** The start of the steps: the record or an exploded element. KEY has no steps: it is the name of an exploded member. */
    enum Root {
        RECORD,
        ELEMENT,
        KEY
    }

    /** Parses {@code a.b[0]["c"].d}, {@code @.a}, {@code @} or {@code @key}. Other names may begin with {@code @}. */
    static JsonPath parse(String text) {
        return new PathReader(text).path();
    }

    private static JsonPath of(String name) {
        return new JsonPath(Root.RECORD, List.of(name), Set.of());
    }

    /** Parses the path of a column. A path that is the column's name, and cannot be a path, is the name of a member. */
    private static JsonPath parse(DecodedColumn column, boolean exploded) {
        if (!exploded && column.path().equals("@key")) {
            return of(column.path());
        }
        try {
            return parse(column.path());
        } catch (IllegalArgumentException e) {
            if (column.path().equals(column.name())) {
                return of(column.path());
            }
            throw e;
        }
    }

    /** Returns the number of steps before the one to all elements; -1 if there is none. */
    int explodedStep() {
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
    static JsonPath resolve(DecodedColumn column, boolean exploded) {
        JsonPath path = parse(column, exploded);
        int from = path.explodedStep() + 1;
        if (from == 0) {
            return path;
        }
        Set<Integer> dotted = new HashSet<>();
        path.dotted.stream().filter(index -> index > from).forEach(index -> dotted.add(index - from));
        return new JsonPath(Root.ELEMENT, path.steps.subList(from, path.steps.size()), dotted);
    }

    /**
     * Returns the steps of all readings, longer names first: {@code a.b.c} is the name {@code a.b.c}, or {@code c} in
     * {@code a.b}, or {@code b.c} in {@code a}, or {@code c} in {@code b} in {@code a}.
     *
     * @param text the path as it is written
     */
    List<List<Object>> readings(String text) {
        List<List<Object>> readings = new ArrayList<>();
        if (root == Root.RECORD && !steps.isEmpty() && !text.startsWith("[")) {
            readings.add(List.of(text));
        }
        if (dotted.size() <= MAX_DOTS) {
            read(0, new ArrayList<>(), readings);
        } else {
            readings.add(steps);
        }
        return readings.stream().distinct().toList();
    }

    private void read(int from, List<Object> before, List<List<Object>> readings) {
        if (from == steps.size()) {
            readings.add(List.copyOf(before));
            return;
        }
        int end = from + 1;
        while (dotted.contains(end)) {
            end++;
        }
        for (; end > from; end--) {
            before.add(end == from + 1 ? steps.get(from) : joined(steps.subList(from, end)));
            read(end, before, readings);
            before.remove(before.size() - 1);
        }
    }

    private static String joined(List<Object> names) {
        return String.join(".", names.stream().map(String.class::cast).toList());
    }

    private static String impliedExplode(List<DecodedColumn> columns) {
        for (DecodedColumn column : columns) {
            int star = column.path().indexOf("[*]");
            if (star >= 0 && parse(column, true).explodedStep() >= 0) {
                return star == 0 ? "@" : column.path().substring(0, star);
            }
        }
        return null;
    }

    static JsonPath parseExplode(String text) {
        // The record itself is an array: the path has no steps, and is written like an element.
        if (text.equals("@key")) {
            return of(text);
        }
        JsonPath path = text.equals("@") ? new JsonPath(Root.RECORD, List.of(), Set.of()) : parse(text);
        if (path.root() != Root.RECORD || path.explodedStep() >= 0) {
            throw new IllegalArgumentException(
                    "explode " + text + " must be the path of an array or object in the record");
        }
        return path;
    }

    private static void checkColumn(DecodedColumn column, JsonPath exploded, String explode) {
        JsonPath path = parse(column, exploded != null);
        if (path.root() != Root.RECORD && exploded == null) {
            throw wrong(column, "belongs to an element, but nothing is exploded");
        }
        int step = path.explodedStep();
        if (step >= 0 && (path.root() != Root.RECORD || path.steps().lastIndexOf(ALL) != step)) {
            throw wrong(column, "has more than one [*]: only one array of a record can be exploded");
        }
        if (step >= 0 && (step != exploded.steps().size() || !path.startsWith(exploded))) {
            throw wrong(column, "explodes something other than " + explode);
        }
        if (step < 0 && path.root() == Root.RECORD && exploded != null && path.startsWith(exploded)) {
            throw wrong(column, "is inside the exploded value: begin it with @ for a field of an element");
        }
    }

    private static IllegalArgumentException wrong(DecodedColumn column, String message) {
        return new IllegalArgumentException("path " + column.path() + " of column " + column.name() + " " + message);
    }

    private static final class PathReader {
        private final String text;
        private final List<Object> steps = new ArrayList<>();
        private final Set<Integer> dotted = new HashSet<>();
        /** Whether the last step is a name without brackets. */
        private boolean plain;

        private int at;

        PathReader(String text) {
            this.text = text;
        }

        JsonPath path() {
            if (text.equals("@key")) {
                return new JsonPath(Root.KEY, List.of(), Set.of());
            }
            Root root = isOfElement() ? Root.ELEMENT : Root.RECORD;
            if (root == Root.ELEMENT) {
                at = 1;
            } else if (!text.startsWith("[")) {
                name();
            }
            while (at < text.length()) {
                step();
            }
            return new JsonPath(root, List.copyOf(steps), dotted);
        }

        private boolean isOfElement() {
            return text.startsWith("@") && (text.length() == 1 || text.charAt(1) == '.' || text.charAt(1) == '[');
        }

        private void step() {
            char c = text.charAt(at++);
            if (c == '.') {
                if (plain) {
                    dotted.add(steps.size());
                }
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
            plain = true;
        }

        private void bracket() {
            plain = false;
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

        private IllegalArgumentException wrong(String message) {
            return new IllegalArgumentException(
                    "path " + text + " is invalid: " + message + " at character " + (Math.min(at, text.length()) + 1));
        }
    }
}
